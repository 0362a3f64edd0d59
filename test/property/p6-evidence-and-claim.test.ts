import { describe, expect } from 'vitest'
import type { Entry, JsonObject } from '../../src/engine/transcript.ts'
import { FORMATS } from '../../src/formats/index.ts'
import { createReadContext } from '../../src/formats/read-context.ts'
import type { WireFormat } from '../helpers/wire-rules/index.ts'
import { type CompactionCase, compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { membersOf, runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'
import { scriptedSketch } from './support/scripted-decide.ts'

/** Relevance alone, with tool exchanges that may go whole. */
const droppingCase = (format: WireFormat) =>
  compactionCase(format).chain((sketch) =>
    scriptedSketch.map(
      (decide): CompactionCase => ({
        ...sketch,
        decide,
        currentRequest: 'Fix the retry budget of the parser.',
        options: {
          protectRecent: Math.min(sketch.options.protectRecent ?? 3, 3),
          relevance: { ...sketch.options.relevance, enabled: true, toolExchanges: 'drop' },
          prune: { enabled: false },
          deduplicate: { enabled: false },
          collapse: { enabled: false },
          summarize: { enabled: false },
          truncate: { enabled: false },
        },
      }),
    ),
  )

function entriesOf({ format, payload }: CompactionCase): readonly Entry[] {
  const context = createReadContext(FORMATS[format], (text) => text.length, undefined)
  return FORMATS[format].read(membersOf(payload) as unknown as JsonObject, context).entries
}

/** Number of the first text of the assistant's behind a place, before the user speaks again. */
function claimBehind(place: number, entries: readonly Entry[]): number | undefined {
  for (const { index, role, flags, parts } of entries.slice(place + 1)) {
    if (flags.marker === true) continue
    if (role === 'user') return undefined
    const says = parts.some(({ kind, text }) => kind === 'text' && text.trim() !== '')
    if (role === 'assistant' && says) return index
  }
  return undefined
}

describe.each(SERVED_FORMATS)('P6: no claim outlives its evidence unsaid, in %s', (format) => {
  property(
    'where a tool result is dropped as not needed, the text behind it that may rest on it is dropped too',
    droppingCase(format),
    async (sketch, meet) => {
      const { report } = await runCase(sketch)
      const entries = entriesOf(sketch)
      const dropped = new Set(
        report.actions.flatMap(({ action, index }) => (action === 'dropped' ? index : [])),
      )
      for (const { index, action, reason } of report.actions) {
        if (reason === 'claim-kept') {
          meet('an exchange cleared for a claim that stays')
          expect(action).toBe('rewritten')
        }
        if (reason === 'evidence-dropped') {
          meet('a report that goes with its evidence')
          expect(action).toBe('dropped')
        }
        const isResult = entries[index]?.parts.some(({ kind }) => kind === 'tool-result') === true
        if (action !== 'dropped' || !isResult) continue
        meet('evidence dropped')
        const claim = claimBehind(index, entries)
        if (claim === undefined) continue
        meet('a claim behind it')
        expect(dropped).toContain(claim)
      }
    },
    { meets: { 'evidence dropped': 0.02, 'an exchange cleared for a claim that stays': 0.03 } },
  )
})
