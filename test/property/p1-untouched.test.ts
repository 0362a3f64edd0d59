import { describe, expect } from 'vitest'
import { type ConversationPayload, WIRE_FORMATS } from '../helpers/arbitraries/index.ts'
import { compactionCase } from './support/compaction-case.ts'
import { deepFreeze } from './support/freeze.ts'
import { layoutOf } from './support/layout.ts'
import { runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'

const textsOf = ({ messages }: ConversationPayload) => messages.map((item) => JSON.stringify(item))

describe.each(WIRE_FORMATS)('P1: what no action names comes back as it came, in %s', (format) => {
  property(
    'the payload is the same JSON after the run, and freezing it makes no difference',
    compactionCase(format),
    async (sketch, meet) => {
      const before = JSON.stringify(sketch.payload)
      const free = await runCase(sketch)
      expect(JSON.stringify(sketch.payload)).toBe(before)
      const frozen = await runCase({ ...sketch, payload: deepFreeze(JSON.parse(before)) })
      expect(JSON.stringify(frozen.output)).toBe(JSON.stringify(free.output))
      if (free.report.outcome !== 'unchanged') meet('a change')
    },
    { meets: { 'a change': 0.3 } },
  )

  property(
    'a message that no action names is the very same object and the same JSON, in its old order',
    compactionCase(format),
    async (sketch, meet) => {
      const before = textsOf(sketch.payload)
      const { report, input, output } = await runCase(sketch)
      const after = textsOf(output)
      const layout = layoutOf(input.messages.length, report)
      expect(output.messages).toHaveLength(layout.length)
      for (const [place, origin] of layout.entries()) {
        meet(origin.from)
        if (origin.from !== 'untouched') continue
        expect(output.messages[place]).toBe(input.messages[origin.index])
        expect(after[place]).toBe(before[origin.index])
      }
    },
    { meets: { untouched: 0.95, rewritten: 0.1, inserted: 0.1 } },
  )

  property(
    'a rewritten message keeps its members, their order and their values, but for what it says',
    compactionCase(format),
    async (sketch, meet) => {
      const { report, input, output } = await runCase(sketch)
      for (const [place, origin] of layoutOf(input.messages.length, report).entries()) {
        if (origin.from !== 'rewritten') continue
        meet('a rewritten message')
        const before = Object.entries(input.messages[origin.index] ?? {})
        const after = Object.entries(output.messages[place] ?? {})
        // NeuroLink's `metadata` says that the text was cut, and its `result` may hold the error's text.
        const isSaying = ([name]: [string, unknown]) =>
          ['content', ...(format === 'neurolink' ? ['metadata', 'result'] : [])].includes(name)
        const kept = before.filter((member) => !isSaying(member))
        expect(JSON.stringify(after.filter((member) => !isSaying(member)))).toBe(
          JSON.stringify(kept),
        )
        const names = after.map(([name]) => name).filter((name) => name !== 'metadata')
        expect(names).toEqual(before.map(([name]) => name).filter((name) => name !== 'metadata'))
      }
    },
    { meets: { 'a rewritten message': 0.1 } },
  )

  property(
    'a run that changes nothing returns the posted list itself',
    compactionCase(format),
    async (sketch, meet) => {
      const before = JSON.stringify(sketch.payload.messages)
      const { report, input, result } = await runCase(sketch)
      if (report.outcome !== 'unchanged') return
      meet('nothing changed')
      expect(result.messages).toBe(input.messages)
      expect(JSON.stringify(result.messages)).toBe(before)
    },
    { meets: { 'nothing changed': 0.1 } },
  )
})
