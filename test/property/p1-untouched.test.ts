import { describe, expect } from 'vitest'
import { conversationListOf, type WireFormat } from '../helpers/wire-rules/index.ts'
import { asRecord } from '../helpers/wire-rules/json.ts'
import { compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { deepFreeze } from './support/freeze.ts'
import { layoutOf } from './support/layout.ts'
import { runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'

const textsOf = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item))

/** Members that hold what a message says. NeuroLink's tell of a cut, and repeat an error's text. */
const SAYING: Readonly<Record<WireFormat, readonly string[]>> = {
  'openai-chat': ['content'],
  'anthropic-messages': ['content'],
  neurolink: ['content', 'metadata', 'result'],
  'openai-responses': ['content', 'output'],
  gemini: ['parts'],
  'ai-sdk': ['content'],
}

describe.each(SERVED_FORMATS)('P1: what no action names comes back as it came, in %s', (format) => {
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
      const before = textsOf(conversationListOf(sketch.payload))
      const { report, posted, returned } = await runCase(sketch)
      const after = textsOf(returned)
      const layout = layoutOf(posted.length, report)
      expect(returned).toHaveLength(layout.length)
      for (const [place, origin] of layout.entries()) {
        meet(origin.from)
        if (origin.from !== 'untouched') continue
        expect(returned[place]).toBe(posted[origin.index])
        expect(after[place]).toBe(before[origin.index])
      }
    },
    { meets: { untouched: 0.95, rewritten: 0.1, inserted: 0.1 } },
  )

  property(
    'a rewritten message keeps its members, their order and their values, but for what it says',
    compactionCase(format),
    async (sketch, meet) => {
      const { report, posted, returned } = await runCase(sketch)
      for (const [place, origin] of layoutOf(posted.length, report).entries()) {
        if (origin.from !== 'rewritten') continue
        meet('a rewritten message')
        const before = Object.entries(asRecord(posted[origin.index]))
        const after = Object.entries(asRecord(returned[place]))
        const isSaying = ([name]: [string, unknown]) => SAYING[format].includes(name)
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
      const before = JSON.stringify(sketch.payload)
      const { report, input, output, result } = await runCase(sketch)
      if (report.outcome !== 'unchanged') return
      meet('nothing changed')
      expect(result.conversation).toBe(input[result.list])
      expect(JSON.stringify(output)).toBe(before)
    },
    { meets: { 'nothing changed': 0.1 } },
  )
})
