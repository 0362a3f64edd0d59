import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { findChanges, newFaults } from '../helpers/wire-rules/index.ts'
import { relevanceOf } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { deepFreeze } from './support/freeze.ts'
import {
  judged,
  playSession,
  type SessionCase,
  sessionCase,
  type Turn,
} from './support/growing-session.ts'
import { layoutOf } from './support/layout.ts'
import { pinsOf } from './support/pins.ts'
import { recount } from './support/recount.ts'
import { property } from './support/run-property.ts'
import { scriptedSketch } from './support/scripted-decide.ts'
import { withoutResults } from './support/without-results.ts'

/** What the turn posted, as a case of its own. */
const sketchOf = ({ sketch }: SessionCase, { input, request }: Turn) => ({
  ...sketch,
  payload: input,
  pins: (request.pins ?? []) as readonly number[],
})

/** Number of the posted message -> what came back for it. */
function survivorsOf({ posted, returned, report }: Turn): Map<number, unknown> {
  return new Map(
    layoutOf(posted.length, report).flatMap((origin, place) =>
      origin.from === 'inserted' ? [] : [[origin.index, returned[place]] as const],
    ),
  )
}

/** Those that came to more than one step are what one run cannot show. */
function meetSteps(turns: readonly Turn[], meet: (what: string) => void): void {
  const most = Math.max(...turns.map(({ steps }) => steps.taken))
  if (most > 0) meet('a step')
  if (most > 1) meet('several steps')
}

const MEETS = { 'a step': 0.5, 'several steps': 0.2 }

describe.each(SERVED_FORMATS)('steps keep what one run keeps, in %s', (format) => {
  property(
    'P1: nothing that is posted is written to, and what no action names is the very same object, in its old order',
    sessionCase(format),
    async (session, meet) => {
      const { sketch } = session
      const payload = deepFreeze(JSON.parse(JSON.stringify(sketch.payload)))
      const { turns } = await playSession({ ...session, sketch: { ...sketch, payload } })
      meetSteps(turns, meet)
      for (const { report, result, posted, returned, input } of turns) {
        const layout = layoutOf(posted.length, report)
        expect(returned).toHaveLength(layout.length)
        for (const [place, origin] of layout.entries()) {
          if (origin.from !== 'untouched') continue
          expect(returned[place] === posted[origin.index], `message ${origin.index}`).toBe(true)
        }
        if (report.outcome !== 'unchanged') continue
        expect(result.conversation).toBe(input[result.list])
      }
    },
    { runs: 0.25, meets: MEETS },
  )

  property(
    'P2: no turn breaks a wire rule, and no step has to be undone',
    sessionCase(format),
    async (session, meet) => {
      const { turns } = await playSession(session)
      meetSteps(turns, meet)
      for (const { input, output, result } of turns) {
        expect(newFaults(format, input, output)).toEqual([])
        expect(findChanges(format, input, output)).toEqual([])
        expect(result.brokenRules).toEqual([])
      }
    },
    { runs: 0.3, meets: MEETS },
  )

  property(
    'P3, P4: each turn fits or says what keeps it from fitting, by a count of what came back; none grows',
    sessionCase(format).map(truncating),
    async (session, meet) => {
      const { target, turns } = await playSession(session)
      meetSteps(turns, meet)
      for (const { report, input, output } of turns) {
        const { floor, fits, tokensAfter, tokensBefore, warnings } = report
        expect(report.target).toBe(target)
        expect(tokensBefore).toBe(recount(format, input).total)
        expect(tokensAfter).toBe(recount(format, output).total)
        expect(tokensAfter).toBeLessThanOrEqual(tokensBefore)
        expect(fits).toBe(tokensAfter <= target)
        const pins = Object.values(floor.pins).reduce((sum, tokens) => sum + tokens, 0)
        const { instructions, tools, framing, protectedTail, marker } = floor
        expect(instructions + tools + framing + protectedTail + marker + pins).toBe(floor.tokens)
        if (fits) continue
        meet('a turn that does not fit')
        expect(floor.tokens).toBeGreaterThan(target)
        expect(warnings.map(({ code }) => code)).toContain('budget-unreachable')
      }
    },
    { runs: 0.3, meets: { ...MEETS, 'a turn that does not fit': 0.03 } },
  )

  property(
    'P5: instructions, skills, pending calls, pins, first task, current request and newest messages stay at every turn',
    sessionCase(format),
    async (session, meet) => {
      const { turns } = await playSession(session)
      meetSteps(turns, meet)
      for (const turn of turns) {
        const survivors = survivorsOf(turn)
        const pins = pinsOf(sketchOf(session, turn))
        for (const index of pins.identical) {
          expect(survivors.get(index) === turn.posted[index], `message ${index}`).toBe(true)
        }
        for (const index of pins.spoken) {
          const [before, after] = [turn.posted[index], survivors.get(index)]
          expect(JSON.stringify(withoutResults(after))).toBe(JSON.stringify(withoutResults(before)))
        }
        for (const index of pins.present) expect(survivors.has(index)).toBe(true)
        for (const index of pins.summaries) {
          if (survivors.get(index) === turn.posted[index]) continue
          const merged = turn.report.actions.find((action) => action.index === index)
          expect([merged?.action, merged?.reason]).toEqual(['dropped', 'summarized'])
        }
      }
    },
    { runs: 0.3, meets: MEETS },
  )

  property(
    'P6: what went as not needed had a confident no at the step that took it',
    fc
      .record({ session: sessionCase(format), decide: scriptedSketch })
      .map(({ session, decide }) => judged({ ...session, sketch: { ...session.sketch, decide } })),
    async (session, meet) => {
      const { minDropConfidence } = relevanceOf(session.sketch)
      const { turns } = await playSession(session)
      for (const { report, steps } of turns) {
        for (const { reason, probability = 1, confidence = 0 } of report.actions) {
          if (reason !== 'not-needed') continue
          meet(steps.taken > 1 ? 'several steps' : 'one step')
          expect(probability).toBeLessThan(0.5)
          expect(confidence).toBeGreaterThanOrEqual(minDropConfidence)
        }
      }
    },
    { runs: 0.3, meets: { 'one step': 0.05, 'several steps': 0.02 } },
  )

  property(
    'P9: whatever threshold is asked for, no turn may take more than at the default',
    fc.record({ session: sessionCase(format, 30), threshold: fc.constantFrom(0.3, 0.8, 0.95) }),
    async ({ session, threshold }, meet) => {
      const window = { targetTokens: undefined, contextWindow: 4_000, maxOutputTokens: 500 }
      const at = (compactionThreshold: number) =>
        playSession(session, { over: { ...window, compactionThreshold } as object })
      const [asked, usual] = [await at(threshold), await at(0.8)]
      for (const [index, { report }] of asked.turns.entries()) {
        expect(report.target).toBeLessThanOrEqual(usual.turns[index]?.report.target ?? 0)
      }
      meetSteps(asked.turns, meet)
    },
    { runs: 0.2, meets: { 'a step': 0.1 } },
  )

  property(
    'P10: what a turn has sent is sent again as it is, if it fits',
    sessionCase(format).map(withoutPins),
    async (session, meet) => {
      const { turns } = await playSession(session)
      const last = turns.at(-1)
      if (last === undefined || !last.report.fits || last.steps.taken === 0) return
      meet(last.steps.taken > 1 ? 'several steps' : 'one step')
      const again = await playSession(
        { ...session, sketch: { ...session.sketch, payload: last.output } },
        { over: { targetTokens: last.request.targetTokens ?? 1 } },
      )
      const repeated = again.turns.at(-1)
      expect(JSON.stringify(repeated?.output)).toBe(JSON.stringify(last.output))
      expect(repeated?.steps.taken).toBe(0)
    },
    { runs: 0.3, meets: { 'one step': 0.03, 'several steps': 0.03 } },
  )
})

function truncating(session: SessionCase): SessionCase {
  const options = { ...session.sketch.options, truncate: { enabled: true } }
  return { ...session, sketch: { ...session.sketch, options } }
}

/** By number they would name other messages of the output. */
function withoutPins(session: SessionCase): SessionCase {
  return { ...session, sketch: { ...session.sketch, pins: [] } }
}
