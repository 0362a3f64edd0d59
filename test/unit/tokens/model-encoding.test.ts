import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { encodingForModel } from '../../../src/tokens/model-encoding.ts'

const referenceTable = createRequire(import.meta.url)('tiktoken/model_to_encoding.json') as Record<
  string,
  string
>

describe('the encoding for a model', () => {
  it.each(Object.entries(referenceTable))(
    'of %s is that of the reference: %s',
    (model, encoding) => {
      const rule = encodingForModel(model)
      if (encoding === 'o200k_base' || encoding === 'cl100k_base') {
        expect(rule).toEqual({ encoding, factor: 1, estimated: false })
      } else if (!model.startsWith('gpt2')) {
        expect(rule.estimated).toBe(true)
      }
    },
  )

  it.each([
    ['gpt-4.1-nano', 'o200k_base'],
    ['gpt-4.5-preview', 'o200k_base'],
    ['gpt-5.2-codex', 'o200k_base'],
    ['gpt-6-luna', 'o200k_base'],
    ['o3-pro', 'o200k_base'],
    ['gpt-oss-120b', 'o200k_base'],
    ['chatgpt-4o-latest', 'o200k_base'],
    ['gpt-4-turbo-2024-04-09', 'cl100k_base'],
    ['gpt-4-0125-preview', 'cl100k_base'],
    ['gpt-3.5-turbo-0125', 'cl100k_base'],
    ['gpt-35-turbo', 'cl100k_base'],
    ['text-embedding-3-large', 'cl100k_base'],
    ['openai/gpt-4o', 'o200k_base'],
    ['azure/gpt-4o-mini', 'o200k_base'],
    ['openrouter/openai/o3:online', 'o200k_base'],
    ['ft:gpt-4o-mini-2024-07-18:org::id', 'o200k_base'],
    ['ft:gpt-3.5-turbo-0613:org', 'cl100k_base'],
    ['openai.gpt-oss-20b-1:0', 'o200k_base'],
    ['OpenAI/GPT-4o ', 'o200k_base'],
    [undefined, 'o200k_base'],
    ['', 'o200k_base'],
  ])('of %s is %s, exact', (model, encoding) => {
    expect(encodingForModel(model)).toEqual({ encoding, factor: 1, estimated: false })
  })

  it.each([
    'marco-o1',
    'o1x',
    'gpt-50',
    'gpt-4x',
    'grok-4',
    'command-r-plus',
    'azure/my-deployment',
    'x'.repeat(100_000),
  ])('of a name that no rule knows is an estimate', (model) => {
    expect(encodingForModel(model)).toEqual({
      encoding: 'o200k_base',
      factor: 1.35,
      estimated: true,
    })
  })

  it.each([
    ['claude-3-5-sonnet-20241022', 1.3],
    ['claude-3-opus-latest', 1.3],
    ['claude-2.1', 1.3],
    ['claude-instant-1.2', 1.3],
    ['anthropic.claude-v2:1', 1.3],
    ['claude-sonnet-4@20250514', 1.3],
    ['claude-opus-4-1-20250805', 1.3],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 1.3],
    ['anthropic/claude-opus-4.6', 1.3],
    ['claude-opus-4-7', 1.7],
    ['claude-opus-4-7-20260401', 1.7],
    ['claude-sonnet-5', 1.7],
    ['anthropic/claude-opus-5.5', 1.7],
    ['claude-opus-latest', 1.7],
    ['models/gemini-2.5-pro', 1.25],
    ['google/gemma-3-27b-it', 1.25],
    ['mistral-large-latest', 1.35],
    ['meta-llama/Llama-3.3-70B-Instruct', 1.1],
    ['meta-llama/Llama-2-70b-chat-hf', 1.35],
    ['Qwen/Qwen3-32B', 1.2],
    ['deepseek-chat', 1.1],
    ['deepseek-r1-distill-qwen-32b', 1.2],
  ])('of %s is estimated with a factor of %d', (model, factor) => {
    expect(encodingForModel(model)).toEqual({ encoding: 'o200k_base', factor, estimated: true })
  })
})
