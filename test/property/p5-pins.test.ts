import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { asArray, asRecord } from '../helpers/wire-rules/json.ts'
import { type CompactionCase, compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { layoutOf } from './support/layout.ts'
import { pinsOf } from './support/pins.ts'
import { type Run, runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'

/** Number in the posted conversation -> the message that came back for it. */
function survivorsOf({ posted, returned, report }: Run): Map<number, unknown> {
  return new Map(
    layoutOf(posted.length, report).flatMap((origin, place) =>
      origin.from === 'inserted' ? [] : [[origin.index, returned[place]] as const],
    ),
  )
}

/** A message without what its tool results say. */
function withoutResults(message: unknown): unknown {
  const { content, parts, ...rest } = asRecord(message)
  if (!Array.isArray(content) && !Array.isArray(parts)) return message
  const blocks = [...asArray(content), ...asArray(parts)].map((block) => {
    const { type, functionResponse, function_response: snake } = asRecord(block)
    const isResult = type === 'tool_result' || functionResponse !== undefined || snake !== undefined
    return isResult ? 'a result' : block
  })
  return { ...rest, blocks }
}

describe.each(SERVED_FORMATS)('P5: pinned means pinned, in %s', (format) => {
  property(
    'instructions, skills, pending calls, caller pins and recent words of the user come back as they are',
    compactionCase(format),
    async (sketch, meet) => {
      const run = await runCase(sketch)
      const survivors = survivorsOf(run)
      for (const index of pinsOf(sketch).identical) {
        if (run.report.outcome !== 'unchanged') meet('a pin in a changed conversation')
        expect(survivors.get(index)).toBe(run.posted[index])
      }
    },
    { meets: { 'a pin in a changed conversation': 0.25 } },
  )

  property(
    'the first task and the current request keep every word, whatever becomes of results beside them',
    compactionCase(format),
    async (sketch, meet) => {
      const run = await runCase(sketch)
      const survivors = survivorsOf(run)
      for (const index of pinsOf(sketch).spoken) {
        if (run.report.outcome !== 'unchanged') meet('words in a changed conversation')
        const [before, after] = [run.posted[index], survivors.get(index)]
        expect(JSON.stringify(withoutResults(after))).toBe(JSON.stringify(withoutResults(before)))
      }
    },
    { meets: { 'words in a changed conversation': 0.25 } },
  )

  property(
    'the newest messages are all there, as many as are protected',
    compactionCase(format),
    async (sketch, meet) => {
      const run = await runCase(sketch)
      const survivors = survivorsOf(run)
      for (const index of pinsOf(sketch).present) {
        if (run.report.outcome !== 'unchanged') meet('a tail in a changed conversation')
        expect(survivors.has(index)).toBe(true)
      }
    },
    { meets: { 'a tail in a changed conversation': 0.25 } },
  )

  property(
    'a summary goes only where a newer one takes its place',
    fc.oneof(compactionCase(format), compactionCase(format).map(withSummarizer)),
    async (sketch, meet) => {
      const run = await runCase(sketch)
      const survivors = survivorsOf(run)
      const { actions, outcome, summary } = run.report
      for (const index of pinsOf(sketch).summaries) {
        const merged = actions.find(
          (action) => action.index === index && action.action === 'dropped',
        )
        if (merged === undefined) {
          if (outcome !== 'unchanged') meet('a summary kept')
          expect(survivors.get(index)).toBe(run.posted[index])
          continue
        }
        meet('a summary merged')
        expect([merged.stage, merged.reason]).toEqual(['summarize', 'summarized'])
        expect(summary?.accepted).toBe(true)
        expect(actions.filter(({ reason }) => reason === 'summary')).toHaveLength(1)
      }
    },
    { meets: { 'a summary kept': 0.1, 'a summary merged': 0.02 } },
  )
})

/** The summariser has its turn before anything else, and writes something. */
function withSummarizer(sketch: CompactionCase): CompactionCase {
  const off = { enabled: false }
  return {
    ...sketch,
    summarize: { manner: 'prose', maxInputTokens: 200_000 },
    options: {
      ...sketch.options,
      relevance: off,
      prune: off,
      deduplicate: off,
      collapse: off,
      summarize: { enabled: true, keepRecentRatio: 0.1 },
    },
  }
}
