import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  brokenConversationOf,
  brokenConversations,
  itemsOf,
  WIRE_FORMATS,
  withItems,
} from '../../helpers/arbitraries/index.ts'
import { findFaults, newFaults } from '../../helpers/wire-rules/index.ts'

const RUNS = { numRuns: 500, seed: 20_260_302 }

const MUTATIONS: Readonly<Record<(typeof WIRE_FORMATS)[number], string[]>> = {
  'openai-chat': [
    'call-without-result',
    'duplicate-result',
    'empty-content',
    'empty-tool-calls',
    'known-role',
    'missing-content',
    'missing-function-result',
    'moved-result',
    'orphan-function-result',
    'part-role',
    'removed-call',
    'result-without-call',
    'speaker-name',
    'tool-name',
  ],
  'anthropic-messages': [
    'cache-on-thinking',
    'cache-ttl-differs',
    'cache-ttl-order',
    'call-id',
    'call-without-result',
    'duplicate-call-id',
    'duplicate-result',
    'empty-content',
    'empty-text',
    'first-role',
    'known-role',
    'request-breakpoint',
    'result-without-call',
    'results-first',
    'server-call-id',
    'system-block-role',
    'system-empty-content',
    'system-empty-text',
    'system-placement',
    'thinking-last',
    'thinking-only',
    'thinking-sealed',
    'too-many-cache-breakpoints',
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
  'openai-responses': [
    'absent-content',
    'approval-without-request',
    'call-without-result',
    'duplicate-call-id',
    'duplicate-result',
    'empty-content',
    'empty-parts',
    'interrupted-thought',
    'known-role',
    'lost-answer',
    'null-content',
    'reasoning-without-item',
    'removed-call',
    'result-of-other-kind',
    'result-without-call',
    'result-without-id',
    'retyped-result',
    'structure',
    'trailing-reasoning',
  ],
  gemini: [
    'call-placement',
    'call-without-result',
    'code-result-without-code',
    'duplicate-result',
    'empty-content',
    'empty-part',
    'first-role',
    'known-role',
    'part-role',
    'result-misplaced',
    'result-without-call',
    'structure',
    'thought-signature-missing',
  ],
  'ai-sdk': [
    'approval-without-call',
    'approval-without-request',
    'call-without-result',
    'content-shape',
    'duplicate-call-id',
    'duplicate-result',
    'empty-content',
    'known-role',
    'part-role',
    'reasoning-alone',
    'result-misplaced',
    'result-output',
    'result-without-call',
    'structure',
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
        const before = withItems(payload, [...earlierIn(format), ...itemsOf(payload)])
        // Only here does the cut itself do harm: an assistant becomes the first speaker.
        const expected = FIRST.includes(mutation) ? faults : []
        expect(newFaults(format, before, payload)).toEqual(expected)
      }),
      { ...RUNS, numRuns: 100 },
    )
  })
})

const FIRST = ['first-role']

function earlierIn(format: (typeof WIRE_FORMATS)[number]): Record<string, unknown>[] {
  const [greeting, answer] = ['Good morning.', 'Good morning to you.']
  if (format === 'gemini') {
    return [
      { role: 'user', parts: [{ text: greeting }] },
      { role: 'model', parts: [{ text: answer }] },
    ]
  }
  return [
    { id: 'earlier-1', role: 'user', content: greeting },
    { id: 'earlier-2', role: 'assistant', content: answer },
  ]
}

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
