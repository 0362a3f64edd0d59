import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/engine/transcript.ts'
import { FORMAT_IDS, type FormatId } from '../../src/formats/adapter.ts'
import { FORMATS } from '../../src/formats/index.ts'
import {
  brokenConversationOf,
  type ConversationPayload,
  conversationOf,
} from '../helpers/arbitraries/index.ts'
import { findFaults } from '../helpers/wire-rules/index.ts'
import { compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { halves, withHalves } from './support/halves.ts'
import { runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'
import { sharedFaults } from './support/shared-faults.ts'
import { TURN_CASES } from './support/turn-cases.ts'

/** Both sides, compared; returns what they agree on. */
function agreedFaults(format: FormatId, payload: ConversationPayload): string[] {
  const expected = sharedFaults(format, payload, findFaults(format, payload))
  const checked = FORMATS[format].check(payload as JsonObject)
  expect(sharedFaults(format, payload, checked)).toEqual(expected)
  return expected
}

describe.each(SERVED_FORMATS)(
  'the checker of the service says what the oracle says, in %s',
  (format) => {
    property(
      'of a valid conversation nothing',
      conversationOf(format),
      (payload) => {
        expect(agreedFaults(format, payload)).toEqual([])
      },
      { runs: 2 },
    )

    property(
      'of a broken conversation the same rules at the same messages',
      brokenConversationOf(format),
      ({ payload }, meet) => {
        if (agreedFaults(format, payload).length > 0) meet('a fault')
      },
      { runs: 3, meets: { 'a fault': 0.6 } },
    )

    property(
      'of half an exchange here and there the same rules at the same messages',
      fc.record({ conversation: conversationOf(format), sketches: halves }),
      ({ conversation, sketches }, meet) => {
        const payload = withHalves(format, conversation, sketches)
        if (agreedFaults(format, payload).length > 0) meet('a fault')
      },
      { runs: 2, meets: { 'a fault': 0.5 } },
    )

    property(
      'of what a compaction returns nothing',
      compactionCase(format),
      async (sketch, meet) => {
        const { report, output } = await runCase(sketch)
        expect(agreedFaults(format, output)).toEqual([])
        if (report.outcome !== 'unchanged') meet('a change')
      },
      { meets: { 'a change': 0.3 } },
    )
  },
)

describe('the checker of the service says what the oracle says, in anthropic-messages', () => {
  it.each(TURN_CASES)('of $title', ({ payload, faults }) => {
    expect(agreedFaults('anthropic-messages', payload)).toEqual(faults)
  })
})

describe('the formats of the service', () => {
  it('are all written, broken and judged by the helpers of these tests', () => {
    expect([...SERVED_FORMATS].sort()).toEqual([...FORMAT_IDS].sort())
  })
})
