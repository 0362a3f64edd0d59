import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { createTokenCounters } from '../../src/tokens/token-counter.ts'
import { type ConversationPayload, itemsOf, withItems } from '../helpers/arbitraries/index.ts'
import type { WireFormat } from '../helpers/wire-rules/index.ts'
import { asArray, asRecord } from '../helpers/wire-rules/json.ts'
import { type CompactionCase, compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { membersOf, type Run, requestOf, runCase, runRequest } from './support/run-case.ts'
import { property } from './support/run-property.ts'

/** The answer as JSON, without what a clock has measured. */
function answerOf({ result }: Run): string {
  return JSON.stringify(result, (name, value) => {
    if (name === 'latencyMs') return undefined
    return value instanceof Set || value instanceof Map ? [...value] : value
  })
}

/** The same request, asked of what the run has returned. Pins by number would name other messages. */
function rerun(sketch: CompactionCase, first: Run): Promise<Run> {
  const again = { ...sketch, pins: [], payload: first.output }
  return runRequest(again, { ...first.request, ...membersOf(first.output), pins: [] })
}

const isSettled = ({ report }: Run) =>
  report.fits || report.stages.every(({ status }) => status !== 'applied')

describe.each(SERVED_FORMATS)('P10: the same again is the same, in %s', (format) => {
  property(
    'two runs of one request give one answer, whatever was counted or posted in between',
    fc.record({ sketch: compactionCase(format), other: compactionCase(format) }),
    async ({ sketch, other }, meet) => {
      const first = await runCase(sketch)
      await runCase(other)
      const copy: ConversationPayload = JSON.parse(JSON.stringify(sketch.payload))
      const second = await runCase(
        { ...sketch, payload: copy },
        {},
        createTokenCounters({ cacheBytes: 0 }),
      )
      expect(answerOf(second)).toBe(answerOf(first))
      if (first.report.outcome !== 'unchanged') meet('a change')
    },
    { runs: 0.7, meets: { 'a change': 0.3 } },
  )

  property(
    'a run on what fits, or on what nothing could be done about, changes nothing',
    compactionCase(format).map((sketch) => ({ ...sketch, pins: [] })),
    async (sketch, meet) => {
      const first = await runCase(sketch)
      if (!isSettled(first)) return
      const second = await rerun(sketch, first)
      expect(second.report.outcome).toBe('unchanged')
      expect(second.report.actions).toEqual([])
      expect(second.report.tokensBefore).toBe(first.report.tokensAfter)
      expect(JSON.stringify(second.output)).toBe(JSON.stringify(first.output))
      if (first.report.outcome !== 'unchanged') meet('a change before')
      if (!first.report.fits) meet('nothing to be done')
    },
    { meets: { 'a change before': 0.2, 'nothing to be done': 0.05 } },
  )

  property(
    'a run on what is still too large changes nothing that no model is asked about',
    compactionCase(format).map(
      (sketch): CompactionCase => ({
        ...sketch,
        pins: [],
        decide: { kind: 'none' },
        summarize: { ...sketch.summarize, manner: 'none' },
        options: { ...sketch.options, truncate: { enabled: false } },
      }),
    ),
    async (sketch, meet) => {
      const first = await runCase(sketch)
      const second = await rerun(sketch, first)
      if (first.report.outcome === 'partial') meet('a partial result')
      expect(second.report.actions).toEqual([])
      expect(JSON.stringify(second.output)).toBe(JSON.stringify(first.output))
    },
    { meets: { 'a partial result': 0.03 } },
  )

  property(
    'a run within a context window settles at once too',
    compactionCase(format).map((sketch) => ({
      ...sketch,
      pins: [],
      payload: withRemark(format, sketch.payload),
    })),
    async (sketch, meet) => {
      const whole = (await runCase(sketch, { targetTokens: 1_000_000_000 })).report.tokensBefore
      const contextWindow = Math.max(16, Math.round(whole * 1.2))
      const first = await runRequest(sketch, { ...requestOf(sketch), contextWindow })
      if (!first.report.fits) return
      const second = await rerun(sketch, first)
      expect(JSON.stringify(second.output)).toBe(JSON.stringify(first.output))
      if (first.report.outcome !== 'unchanged') meet('a change before')
    },
    { meets: { 'a change before': 0.1 } },
  )
})

/** Where results end an Anthropic conversation, the user speaks beside them: the request is a part of its message. */
function withRemark(format: WireFormat, payload: ConversationPayload): ConversationPayload {
  const items = itemsOf(payload)
  const last = items.at(-1)
  const blocks = asArray(last?.content)
  const areResults =
    blocks.length > 0 && blocks.every((block) => asRecord(block).type === 'tool_result')
  if (format !== 'anthropic-messages' || !areResults) return payload
  const content = [...blocks, { type: 'text', text: 'And what now?' }]
  return withItems(payload, [...items.slice(0, -1), { ...last, content }])
}
