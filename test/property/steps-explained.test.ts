import { describe, expect } from 'vitest'
import type { Action } from '../../src/engine/report.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { playSession, type SessionCase, sessionCase, type Turn } from './support/growing-session.ts'
import { layoutOf } from './support/layout.ts'
import { markerCount } from './support/message-view.ts'
import { recount } from './support/recount.ts'
import { property } from './support/run-property.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

const MEETS = { 'one step': 0.3, 'several steps': 0.2 }

function meetSteps({ steps }: Turn, meet: (what: string) => void): void {
  if (steps.taken > 0) meet(steps.taken > 1 ? 'several steps' : 'one step')
}

describe.each(SERVED_FORMATS)('P11: several steps are told as one run, in %s', (format) => {
  property(
    'what the actions save and what the stages save is what came off the posted conversation, message by message',
    sessionCase(format),
    async (session, meet) => {
      for (const turn of (await playSession(session)).turns) {
        meetSteps(turn, meet)
        const { report, input, output, posted } = turn
        const { actions, stages, tokensBefore, tokensAfter } = report
        const saved = (pieces: readonly { tokensBefore: number; tokensAfter: number }[]) =>
          sum(pieces.map((piece) => piece.tokensBefore - piece.tokensAfter))
        expect(saved(actions)).toBe(tokensBefore - tokensAfter)
        expect(saved(stages)).toBe(tokensBefore - tokensAfter)
        expect([stages[0]?.tokensBefore, stages.at(-1)?.tokensAfter]).toEqual([
          tokensBefore,
          tokensAfter,
        ])
        const [before, after] = [recount(format, input).messages, recount(format, output).messages]
        for (const { action, index, ...tokens } of actions) {
          expect(tokens.tokensBefore).toBe(action === 'inserted' ? 0 : before[index])
          if (action === 'dropped') expect(tokens.tokensAfter).toBe(0)
        }
        for (const [place, origin] of layoutOf(posted.length, report).entries()) {
          if (origin.from === 'untouched') continue
          const at = origin.from === 'inserted' ? origin.before : origin.index
          const own = actions.filter(({ action, index }) => action === origin.from && index === at)
          expect(own.map((action) => action.tokensAfter)).toContain(after[place])
        }
      }
    },
    { runs: 0.25, meets: MEETS },
  )

  property(
    'each changed message has one action under its posted number and id, in order, with a stage that was used',
    sessionCase(format),
    async (session, meet) => {
      for (const turn of (await playSession(session)).turns) {
        meetSteps(turn, meet)
        const { report, posted, returned } = turn
        const own = report.actions.filter(({ action }) => action !== 'inserted')
        const survivors = new Set(returned)
        const changed = posted.flatMap((message, index) => (survivors.has(message) ? [] : [index]))
        expect(own.map(({ index }) => index)).toEqual(changed)
        const indexes = report.actions.map(({ index }) => index)
        expect(indexes).toEqual([...indexes].sort((a, b) => a - b))
        for (const { index, stage, action, id } of report.actions) {
          expect(action).not.toBe('kept')
          expect(index).toBeLessThan(posted.length + (action === 'inserted' ? 1 : 0))
          expect(report.stagesUsed).toContain(stage)
          if (id !== undefined) expect((posted[index] as { id?: string }).id).toBe(id)
        }
        const known = new Set(posted)
        const added = returned.filter((message) => !known.has(message)).length
        expect(added).toBe(report.actions.filter(({ action }) => action !== 'dropped').length)
        expect(report.outcome === 'unchanged').toBe(report.actions.length === 0)
      }
    },
    { runs: 0.25, meets: MEETS },
  )

  property(
    'the numbers of dropped messages agree wherever they are told, and a marker counts all that is gone by position',
    sessionCase(format),
    async (session, meet) => {
      for (const turn of (await playSession(session)).turns) {
        meetSteps(turn, meet)
        const { report, posted, returned, steps } = turn
        const dropped = report.actions.filter(({ action }) => action === 'dropped')
        const counted = dropped.filter(({ reason }) => reason !== 'superseded-marker')
        expect(sum(report.drops.map(({ count }) => count))).toBe(counted.length)
        for (const { stage, reason, count } of report.drops) {
          const same = counted.filter((one) => one.stage === stage && one.reason === reason)
          expect(same).toHaveLength(count)
        }
        expect(sum(report.stages.map((stage) => stage.dropped))).toBe(dropped.length)
        if (!report.actions.some(({ reason }) => reason === 'marker')) continue
        // A summary takes over what the markers before it have counted.
        if (report.stagesUsed.includes('summarize')) continue
        meet('a marker')
        const isPositional = ({ stage }: Action) => stage === 'collapse' || stage === 'truncate'
        const gone = counted.filter(isPositional).length
        const earlier = dropped
          .filter(({ reason }) => reason === 'superseded-marker')
          .map(({ index }) => markerCount(format, posted[index]) ?? 0)
        // One that stands in what is cached is not ours to update, as long as it is.
        if (steps.cached !== null) continue
        const markers = returned.flatMap((message) => markerCount(format, message) ?? [])
        expect(markers).toEqual([gone + sum(earlier)])
      }
    },
    { runs: 0.25, meets: { ...MEETS, 'a marker': 0.3 } },
  )

  property(
    'explain lists nothing, what changed or every message, a dry run gives nothing back, and neither decides anything',
    sessionCase(format, 30),
    async (session: SessionCase, meet) => {
      const played = (over: object) => playSession(session, { over })
      const changed = (await played({ explain: 'changed' })).turns
      const none = (await played({ explain: 'none' })).turns
      const all = (await played({ explain: 'all' })).turns
      const dry = (await played({ dryRun: true })).turns
      for (const [index, turn] of changed.entries()) {
        meetSteps(turn, meet)
        const { report, steps, output } = turn
        const others = [none[index], all[index], dry[index]]
        expect(others.map((other) => other?.steps)).toEqual([steps, steps, steps])
        expect(others.map((other) => other?.report.tokensAfter)).toEqual(
          others.map(() => report.tokensAfter),
        )
        expect(none[index]?.report.actions).toEqual([])
        for (const told of ['drops', 'stages', 'outcome', 'fits'] as const) {
          expect(others.map((other) => other?.report[told])).toEqual(others.map(() => report[told]))
        }
        const listed = all[index]?.report.actions ?? []
        expect(listed.filter(({ action }) => action !== 'kept')).toEqual(report.actions)
        const own = listed.filter(({ action }) => action !== 'inserted')
        expect(own.map((action) => action.index)).toEqual(turn.posted.map((_, place) => place))
        expect(dry[index]?.report.actions).toEqual(report.actions)
        const posted = dry[index]?.input
        expect(dry[index]?.result.conversation).toBe(posted?.[turn.result.list])
        for (const other of [none[index], all[index]]) {
          expect(JSON.stringify(other?.output)).toBe(JSON.stringify(output))
        }
      }
    },
    { runs: 0.2, meets: MEETS },
  )
})
