import { describe, expect, it } from 'vitest'
import { ANTHROPIC } from '../../../src/tokens/windows/anthropic.ts'
import { GOOGLE } from '../../../src/tokens/windows/google.ts'
import { normaliseName } from '../../../src/tokens/windows/names.ts'
import { OPEN_WEIGHTS } from '../../../src/tokens/windows/open-weights.ts'
import { OPENAI } from '../../../src/tokens/windows/openai.ts'
import { OTHERS } from '../../../src/tokens/windows/others.ts'
import {
  createWindowTable,
  DEFAULT_CONTEXT_WINDOW,
  KNOWN_MODELS,
} from '../../../src/tokens/windows.ts'

const { lookup } = createWindowTable()

describe('createWindowTable', () => {
  it.each([
    ['gpt-5.4', 1_050_000, 128_000],
    ['gpt-5.4-pro', 1_050_000, 128_000],
    ['gpt-5.4-mini', 400_000, 128_000],
    ['gpt-6-luna', 1_050_000, 128_000],
    ['gpt-6.2-sol', 1_050_000, 128_000],
    ['gpt-5.2', 400_000, 128_000],
    ['gpt-5.2-chat-latest', 128_000, undefined],
    ['gpt-4.1-nano', 1_047_576, 32_768],
    ['gpt-4o', 128_000, 16_384],
    ['gpt-4', 8_192, 8_192],
    ['gpt-3.5-turbo', 16_385, 4_096],
    ['o1', 200_000, 100_000],
    ['o1-mini', 128_000, 65_536],
    ['claude-opus-4-6', 1_000_000, 128_000],
    ['claude-opus-5', 1_000_000, 128_000],
    ['claude-sonnet-4-6', 1_000_000, 128_000],
    ['claude-sonnet-4', 200_000, 64_000],
    ['claude-haiku-4-5', 200_000, 64_000],
    ['gemini-3.1-pro-preview', 1_048_576, 65_536],
    ['gemini-2.5-pro', 1_048_576, 65_536],
    ['gemini-1.5-pro', 2_097_152, undefined],
    ['gemini-2.5-flash-image', 32_768, undefined],
  ])('knows %s by its exact name', (model, contextWindow, maxOutputTokens) => {
    expect(lookup(model)).toEqual({
      contextWindow,
      maxOutputTokens,
      source: 'table',
      matched: model,
    })
  })

  it.each([
    ['openai/gpt-4o', 'gpt-4o'],
    ['azure/gpt-4o', 'gpt-4o'],
    ['azure/openai/gpt-4o', 'gpt-4o'],
    ['openai:gpt-4o', 'gpt-4o'],
    ['ft:gpt-4o-mini-2024-07-18:acme::b1c2', 'gpt-4o-mini'],
    ['models/gemini-2.5-pro', 'gemini-2.5-pro'],
    ['publishers/anthropic/models/claude-sonnet-4@20250514', 'claude-sonnet-4'],
    ['anthropic/claude-opus-4.6', 'claude-opus-4-6'],
    ['anthropic.claude-opus-4-6-v1', 'claude-opus-4-6'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'claude-sonnet-4'],
    ['global.openai.gpt-6-sol', 'gpt-6-sol'],
    [
      'arn:aws:bedrock:us-east-1:0:inference-profile/eu.anthropic.claude-sonnet-4-5-20250929-v1:0',
      'claude-sonnet-4-5',
    ],
    ['~openai/gpt-5.4', 'gpt-5.4'],
    ['amazon.nova-pro-v1:0', 'nova-pro'],
    ['us.meta.llama3-3-70b-instruct-v1:0', 'llama3-3-70b-instruct'],
    ['deepseek-ai/DeepSeek-V4-Pro-0813', 'deepseek-v4-pro'],
    [' GPT-4o ', 'gpt-4o'],
  ])('takes the vendor prefix off %s', (model, matched) => {
    expect(lookup(model)).toMatchObject({ source: 'table', matched })
  })

  it.each([
    ['gpt-5.4-mini-2026-03-05', 'gpt-5.4-mini', 400_000],
    ['o1-mini-2024-09-12', 'o1-mini', 128_000],
    ['o1-preview-2024-09-12', 'o1-preview', 128_000],
    ['o1-2024-12-17', 'o1', 200_000],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13', 128_000],
    ['gpt-4-0613', 'gpt-4', 8_192],
    ['gpt-4-1106-preview', 'gpt-4-1106-preview', 128_000],
    ['gpt-3.5-turbo-0301', 'gpt-3.5-turbo-0301', 4_096],
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', 200_000],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet', 200_000],
    ['claude-opus-4-6[1m]', 'claude-opus-4-6', 1_000_000],
    ['gemini-2.5-flash-preview-05-20', 'gemini-2.5-flash-preview', 1_048_576],
    ['gemini-2.5-flash-image-preview', 'gemini-2.5-flash-image-preview', 32_768],
    ['gemini-2.5-computer-use-preview-10-2025', 'gemini-2.5-computer-use-preview', 128_000],
    ['gemini-2.0-flash-001', 'gemini-2.0-flash', 1_048_576],
    ['gemini-3-pro-image-preview', 'gemini-3-pro-image-preview', 65_536],
    ['openai/gpt-5.4-mini:batch', 'gpt-5.4-mini', 400_000],
  ])('takes the date or version off %s', (model, matched, contextWindow) => {
    expect(lookup(model)).toMatchObject({ source: 'table', matched, contextWindow })
  })

  it.each([
    ['gpt-5.4-nano-unknown', 128_000],
    ['gpt-5.2-chat-latest-x', 128_000],
    ['gpt-5.9', 128_000],
    ['gpt-4.9', 128_000],
    ['gpt-4.5-preview', 128_000],
    ['gpt-40', 128_000],
    ['claude-opus-4-6-tiny', 128_000],
    ['gemini-2.5-flash-preview-tts-audio', 128_000],
    ['deepseek-flash:free', 128_000],
    ['gpt-4-next', 8_192],
    ['gpt-4-vision-lite', 8_192],
    ['voxtral-small-latest-x', 32_768],
    ['anthropic/claude-instant:x', 100_000],
    ['auto', 128_000],
    ['', 128_000],
    [undefined, 128_000],
  ])('gives the unknown model %s no more than the default and its relative', (model, window) => {
    expect(lookup(model)).toMatchObject({
      contextWindow: window,
      maxOutputTokens: undefined,
      source: 'default',
    })
  })

  it('never gives a variant that it does not know a larger window than the model it is named after', () => {
    const known = new Set(KNOWN_MODELS.map(normaliseName))
    const wrong: string[] = []
    let looked = 0
    for (const model of KNOWN_MODELS) {
      for (const suffix of ['-mini', '-nano', '-lite', '-image', '-x', ':x', '@x', '_x']) {
        for (const prefix of ['', 'openrouter/', 'us.vendor.']) {
          const name = `${prefix}${model}${suffix}`
          if (known.has(normaliseName(`${model}${suffix}`))) continue
          looked += 1
          const found = lookup(name)
          const own = lookup(model).contextWindow
          if (found.source !== 'default' || found.contextWindow > own) wrong.push(name)
        }
      }
    }
    expect(wrong).toEqual([])
    expect(looked).toBeGreaterThan(3_000)
  })

  it('gives every date of a known model the same answer as some known name', () => {
    for (const model of KNOWN_MODELS) {
      for (const suffix of ['-2026-03-05', '-20260305', '@20260305']) {
        expect(lookup(`${model}${suffix}`)).toEqual(lookup(model))
      }
    }
  })

  it('holds every model once, with an output limit below or at its window', () => {
    const rows = [...OPENAI, ...ANTHROPIC, ...GOOGLE, ...OPEN_WEIGHTS, ...OTHERS]
    const names = rows.flatMap(({ models }) => models.map(normaliseName))
    expect(names.length).toBeGreaterThan(150)
    expect(names.length).toBe(new Set(names).size)
    for (const { contextWindow, maxOutputTokens = 0, models } of rows) {
      expect(maxOutputTokens).toBeLessThanOrEqual(contextWindow)
      for (const model of models) {
        expect(lookup(model)).toMatchObject({ contextWindow, source: 'table', matched: model })
      }
    }
  })

  it('lets an override win over the table, for dated and prefixed names too', () => {
    const table = createWindowTable({
      overrides: {
        'GPT-4o': { contextWindow: 64_000 },
        house: { contextWindow: 32_000, maxOutputTokens: 1_000 },
      },
    })
    const override = {
      contextWindow: 64_000,
      maxOutputTokens: undefined,
      source: 'override',
      matched: 'GPT-4o',
    }
    expect(table.lookup('openai/gpt-4o-2024-05-13')).toEqual(override)
    expect(table.lookup('gpt-4o')).toEqual(override)
    expect(table.lookup('house')).toMatchObject({ contextWindow: 32_000, maxOutputTokens: 1_000 })
    expect(table.lookup('gpt-4o-mini')).toMatchObject({ source: 'table', matched: 'gpt-4o-mini' })
    expect(table.lookup('house-x')).toMatchObject({ source: 'default', contextWindow: 32_000 })
  })

  it('prefers an override of the full name to one of the bare name', () => {
    const table = createWindowTable({
      overrides: { 'gpt-4o': { contextWindow: 64_000 }, 'azure/gpt-4o': { contextWindow: 16_000 } },
    })
    expect(table.lookup('azure/gpt-4o').contextWindow).toBe(16_000)
    expect(table.lookup('openai/gpt-4o').contextWindow).toBe(64_000)
  })

  it.each([
    [{ contextWindow: 0 }],
    [{ contextWindow: Number.NaN }],
    [{ contextWindow: 1.5 }],
    [{ contextWindow: 1_000, maxOutputTokens: -1 }],
    [{ contextWindow: 1_000, maxOutputTokens: 1_000 }],
  ])('refuses the override %j', (limits) => {
    expect(() => createWindowTable({ overrides: { m: limits } })).toThrow(RangeError)
  })

  it.each([
    '__proto__',
    'constructor',
    '/////',
    ':::',
    '-',
    '\ud800',
    '~~~',
    `${'a/'.repeat(100_000)}gpt-4o`,
    'gpt-4o-'.repeat(30),
  ])('answers any name with the default (%#)', (model) => {
    expect(lookup(model)).toMatchObject({
      contextWindow: DEFAULT_CONTEXT_WINDOW,
      source: 'default',
    })
  })
})
