import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  brokenConversationOf,
  brokenConversations,
  WIRE_FORMATS,
} from '../../helpers/arbitraries/index.ts'
import { findFaults, newFaults } from '../../helpers/wire-rules/index.ts'

const RUNS = { numRuns: 500, seed: 20_260_302 }

const MUTATIONS: Readonly<Record<(typeof WIRE_FORMATS)[number], string[]>> = {
  'openai-chat': [
    'duplicate-result',
    'empty-content',
    'empty-tool-calls',
    'missing-content',
    'missing-function-result',
    'missing-result',
    'moved-result',
    'orphan-function-result',
    'orphan-result',
    'removed-call',
    'unknown-role',
  ],
  'anthropic-messages': [
    'duplicate-call',
    'duplicate-result',
    'empty-content',
    'empty-text',
    'first-message-not-user',
    'missing-result',
    'missing-signature',
    'orphan-result',
    'result-not-first',
    'split-results',
    'thinking-last',
    'thinking-only',
    'unknown-role',
  ],
  neurolink: [
    'duplicate-message-id',
    'duplicate-result',
    'empty-content',
    'mismatched-tool',
    'missing-message-id',
    'missing-result',
    'moved-result',
    'orphan-result',
    'removed-call',
    'unknown-role',
  ],
}

describe.each(WIRE_FORMATS)('broken %s conversations', (format) => {
  it('have the fault they were given and no other, in every way the generator knows', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(brokenConversationOf(format), ({ valid, payload, mutation, fault, faults }) => {
        expect(findFaults(format, valid)).toEqual([])
        expect(findFaults(format, payload)).toEqual(faults)
        expect(faults[0]).toEqual(fault)
        seen.add(mutation)
      }),
      RUNS,
    )
    expect([...seen].sort()).toEqual(MUTATIONS[format])
  })

  it('are worse than before, and no worse than themselves', () => {
    fc.assert(
      fc.property(brokenConversationOf(format), ({ valid, payload, faults }) => {
        expect(newFaults(format, valid, payload)).toEqual(faults)
        expect(newFaults(format, payload, payload)).toEqual([])
        expect(newFaults(format, payload, valid)).toEqual([])
      }),
      { ...RUNS, numRuns: 200 },
    )
  })

  it('keep an old fault old after the messages before it went', () => {
    fc.assert(
      fc.property(brokenConversationOf(format), ({ payload, mutation, faults }) => {
        const before = { ...payload, messages: [...EARLIER, ...payload.messages] }
        // Only here does the cut itself do harm: an assistant becomes the first speaker.
        const expected = mutation === 'first-message-not-user' ? faults : []
        expect(newFaults(format, before, payload)).toEqual(expected)
      }),
      { ...RUNS, numRuns: 100 },
    )
  })
})

const EARLIER = [
  { id: 'earlier-1', role: 'user', content: 'Good morning.' },
  { id: 'earlier-2', role: 'assistant', content: 'Good morning to you.' },
]

describe('brokenConversations', () => {
  it('covers every format and leaves the valid conversation as it was', () => {
    const sample = fc.sample(brokenConversations(), { numRuns: 100, seed: 1 })
    expect([...new Set(sample.map(({ format }) => format))].sort()).toEqual(
      [...WIRE_FORMATS].sort(),
    )
    for (const { format, valid, payload } of sample) {
      expect(findFaults(format, valid)).toEqual([])
      expect(JSON.stringify(payload)).not.toBe(JSON.stringify(valid))
    }
  })
})
