import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compactConversation } from '../../../src/conversation/compact-conversation.ts'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { ConversationServices } from '../../../src/conversation/services.ts'
import { DEFAULT_LOW_WATER } from '../../../src/conversation/steps/settings.ts'
import { createStepMemo } from '../../../src/conversation/steps/step-memo.ts'
import { surelyFits } from '../../../src/proxy/surely-fits.ts'
import { createTokenCounters } from '../../../src/tokens/token-counter.ts'
import { createWindowTable } from '../../../src/tokens/windows.ts'
import { conversationOf } from '../../helpers/arbitraries/index.ts'

const FORMATS = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const
const NOTHING_ASKED = { bypass: false, targetTokens: undefined, profile: undefined }

const services: ConversationServices = {
  counters: createTokenCounters({ cacheBytes: 4_000_000 }),
  windows: createWindowTable({ overrides: { tiny: { contextWindow: 2_000 } } }),
  decide: undefined,
  summarize: undefined,
  defaultProfile: 'neurolink',
  defaultOptions: undefined,
  lowWater: DEFAULT_LOW_WATER,
  stepMemo: createStepMemo(0),
  maxMessages: 100_000,
}

function fits(body: object, format: (typeof FORMATS)[number] = 'openai-chat', asked = {}): boolean {
  const text = Buffer.from(JSON.stringify(body))
  return surelyFits(text, { format, model: undefined }, { ...NOTHING_ASKED, ...asked }, services)
}

describe('a body that surely fits', () => {
  it.each(FORMATS)(
    'is never over its budget: %s',
    async (format) => {
      let sure = 0
      const { signal } = new AbortController()
      await fc.assert(
        fc.asyncProperty(
          conversationOf(format),
          fc.constantFrom('gpt-4o', 'tiny', 'claude-sonnet-4-5', 'gemini-2.5-pro', 'llama-3.1-8b'),
          fc.option(fc.integer({ min: 1, max: 20_000 }), { nil: undefined }),
          async (payload, model, targetTokens) => {
            const body = { ...payload, model }
            if (!fits(body, format, { targetTokens })) return
            sure += 1
            const request = {
              ...body,
              format,
              ...(targetTokens && { targetTokens }),
            } as CompactRequest
            const { report } = await compactConversation(request, services, {
              signal,
              modelSignal: signal,
            })
            expect(report.tokensBefore).toBeLessThanOrEqual(report.target)
          },
        ),
        { numRuns: 60, seed: 20_261_130 },
      )
      expect(sure).toBeGreaterThan(0)
    },
    60_000,
  )

  const hi = [{ role: 'user', content: 'Hi.' }]

  it('is one of a model whose window is known', () => {
    expect(fits({ model: 'gpt-4o', messages: hi })).toBe(true)
    expect(fits({ model: 'nobody-knows', messages: hi })).toBe(false)
    expect(fits({ messages: hi })).toBe(false)
    expect(fits({ model: 7, messages: hi })).toBe(false)
  })

  it('has fewer bytes than the tokens that a caller asks for', () => {
    expect(
      fits({ model: 'nobody-knows', messages: hi }, 'openai-chat', { targetTokens: 200 }),
    ).toBe(true)
    expect(fits({ model: 'gpt-4o', messages: hi }, 'openai-chat', { targetTokens: 20 })).toBe(false)
  })

  it('leaves room for the answer that is asked for', () => {
    const messages = [{ role: 'user', content: 'word '.repeat(200) }]
    expect(fits({ model: 'gpt-4o', messages, max_tokens: 1_000 })).toBe(true)
    expect(fits({ model: 'gpt-4o', messages, max_tokens: 127_000 })).toBe(false)
    expect(fits({ model: 'gpt-4o', messages, max_tokens: 128_000 })).toBe(false)
    expect(
      fits({ model: 'gpt-4o', messages, generationConfig: { maxOutputTokens: 127_000 } }),
    ).toBe(false)
  })

  it('has no pictures or files, which cost more than their address is long', () => {
    for (const part of [
      { type: 'image_url', image_url: { url: 'https://host/1.png' } },
      { type: 'input_file', file_id: 'file-1' },
      { type: 'document', source: { type: 'url', url: 'https://host/1.pdf' } },
      { fileData: { fileUri: 'https://host/1.mp4' } },
    ]) {
      expect(fits({ model: 'gpt-4o', messages: [{ role: 'user', content: [part] }] })).toBe(false)
    }
  })

  it('may be none at all', () => {
    for (const text of [
      '',
      '{',
      '[]',
      '{"model":"gpt-4o"',
      '{"model":"gpt-4o","max_tokens":x}',
      'é',
    ]) {
      const generation = { format: 'openai-chat', model: undefined } as const
      expect(() => surelyFits(Buffer.from(text), generation, NOTHING_ASKED, services)).not.toThrow()
    }
  })
})
