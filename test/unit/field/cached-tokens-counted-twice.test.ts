/**
 * Complaint 25, open-webui #28590 and claude-code #82863: cached tokens were added to input tokens
 * that held them already. Compaction fired at half the limit, and a window of 1M was said to hold 1.36M.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { chat } from '../seeds/support.ts'
import { run } from './support.ts'

const USAGE: JsonObject = {
  input_tokens: 900_000,
  cache_read_input_tokens: 450_000,
  cache_creation_input_tokens: 10_000,
  prompt_tokens: 900_000,
  prompt_tokens_details: { cached_tokens: 450_000 },
}

/** The same texts, with breakpoints in them and the usage that the provider reported beside them. */
function withUsage(messages: readonly JsonObject[]): JsonObject[] {
  return messages.map(({ role, content }, index) => ({
    role: role ?? '',
    content: [
      {
        type: 'text',
        text: content ?? '',
        ...(index % 8 === 0 && index < 32 && { cache_control: { type: 'ephemeral' } }),
      },
    ],
    ...(role === 'assistant' && { usage: USAGE }),
  }))
}

describe.each(['openai-chat', 'anthropic-messages'] as const)('cached tokens, in %s', (format) => {
  const plain = chat(40)
  const reported = withUsage(plain)
  const model = format === 'openai-chat' ? 'gpt-4o' : 'claude-sonnet-4'

  it('are counted once, from what is sent and not from what was reported', async () => {
    const first = await run(format, plain, { model, targetTokens: 1e9 })
    const second = await run(format, reported, { model, targetTokens: 1e9 })
    expect(first.result.report.tokensBefore).toBeGreaterThan(1_000)
    expect(second.result.report.tokensBefore).toBe(first.result.report.tokensBefore)
  })

  it('do not fire a compaction below the threshold, nor hold one back above it', async () => {
    const { tokensBefore } = (await run(format, reported, { model, targetTokens: 1e9 })).result
      .report
    const at = async (share: number) => {
      const request = { model, contextWindow: Math.ceil(tokensBefore / share), maxOutputTokens: 1 }
      return (await run(format, reported, request)).result.report.outcome
    }
    expect(await at(0.5)).toBe('unchanged')
    expect(await at(0.6)).toBe('unchanged')
    expect(await at(0.85)).not.toBe('unchanged')
  })
})
