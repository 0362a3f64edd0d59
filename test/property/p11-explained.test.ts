import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { Action } from '../../src/engine/report.ts'
import { compactionCase } from './support/compaction-case.ts'
import { SERVED_FORMATS } from './support/formats.ts'
import { layoutOf } from './support/layout.ts'
import { markerCount } from './support/message-view.ts'
import { recount } from './support/recount.ts'
import { runCase } from './support/run-case.ts'
import { property } from './support/run-property.ts'

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

describe.each(SERVED_FORMATS)('P11: everything is explained, in %s', (format) => {
  property(
    'what the actions save is what the run saved, message by message',
    compactionCase(format),
    async (sketch, meet) => {
      const { report, input, output, posted } = await runCase(sketch)
      const { actions } = report
      const saved = sum(actions.map(({ tokensBefore, tokensAfter }) => tokensBefore - tokensAfter))
      expect(saved).toBe(report.tokensBefore - report.tokensAfter)
      const [before, after] = [recount(format, input).messages, recount(format, output).messages]
      for (const action of actions) {
        if (action.action === 'inserted') expect(action.tokensBefore).toBe(0)
        else expect(action.tokensBefore).toBe(before[action.index])
        if (action.action === 'dropped') expect(action.tokensAfter).toBe(0)
      }
      const counts = layoutOf(posted.length, report).map((origin) => {
        if (origin.from === 'untouched') return before[origin.index]
        const isOf = ({ index, action }: (typeof actions)[number]) =>
          action === origin.from &&
          index === (origin.from === 'inserted' ? origin.before : origin.index)
        return actions.filter(isOf).map(({ tokensAfter }) => tokensAfter)
      })
      for (const [place, expected] of counts.entries()) {
        expect([expected].flat()).toContain(after[place])
      }
      if (saved > 0) meet('something saved')
    },
    { meets: { 'something saved': 0.3 } },
  )

  property(
    'each changed message has one action, in order, with its stage, and no other has any',
    compactionCase(format),
    async (sketch, meet) => {
      const { report, posted, returned } = await runCase(sketch)
      const { actions } = report
      const own = actions.filter(({ action }) => action !== 'inserted')
      const survivors = new Set(returned)
      const changed = posted.flatMap((message, index) => (survivors.has(message) ? [] : [index]))
      expect(own.map(({ index }) => index)).toEqual(changed)
      const indexes = actions.map(({ index }) => index)
      expect(indexes).toEqual([...indexes].sort((a, b) => a - b))
      for (const { index, stage, action, reason } of actions) {
        meet(reason)
        expect(index).toBeGreaterThanOrEqual(0)
        expect(index).toBeLessThan(posted.length + (action === 'inserted' ? 1 : 0))
        expect(report.stagesUsed).toContain(stage)
        expect(action).not.toBe('kept')
      }
      const known = new Set(posted)
      const added = returned.filter((message) => !known.has(message)).length
      expect(added).toBe(actions.filter(({ action }) => action !== 'dropped').length)
    },
    {
      meets: {
        'not-needed': 0.03,
        'old-tool-output': 0.01,
        summarized: 0.01,
        oldest: 0.1,
        marker: 0.1,
      },
    },
  )

  property(
    'the numbers of dropped messages agree wherever they are told',
    compactionCase(format),
    async (sketch, meet) => {
      const { report } = await runCase(sketch)
      const dropped = report.actions.filter(({ action }) => action === 'dropped')
      const counted = dropped.filter(({ reason }) => reason !== 'superseded-marker')
      expect(sum(report.drops.map(({ count }) => count))).toBe(counted.length)
      for (const { stage, reason, count } of report.drops) {
        expect(
          counted.filter((action) => action.stage === stage && action.reason === reason),
        ).toHaveLength(count)
      }
      expect(sum(report.stages.map((stage) => stage.dropped))).toBe(dropped.length)
      if (dropped.length > 0) meet('a drop')
    },
    { meets: { 'a drop': 0.2 } },
  )

  property(
    'one marker, never a second, tells how many messages are gone by position, earlier ones included',
    compactionCase(format),
    async (sketch, meet) => {
      const { report, posted, returned } = await runCase(sketch)
      const actions = report.actions.filter(
        ({ stage }) => stage === 'collapse' || stage === 'truncate',
      )
      if (!actions.some(({ reason }) => reason === 'marker')) return
      meet('a marker')
      const isGone = ({ action, reason }: Action) =>
        action === 'dropped' && reason !== 'superseded-marker'
      const earlier = actions.filter(({ reason }) => reason === 'superseded-marker')
      if (earlier.length > 0) meet('an earlier marker')
      const counts = earlier.map(({ index }) => markerCount(format, posted[index]) ?? 0)
      const markers = returned.flatMap((message) => markerCount(format, message) ?? [])
      expect(markers).toEqual([actions.filter(isGone).length + sum(counts)])
    },
    { meets: { 'a marker': 0.2, 'an earlier marker': 0.02 } },
  )

  property(
    'explain lists nothing, what changed or every message, and changes nothing else',
    compactionCase(format),
    async (sketch, meet) => {
      const changed = await runCase(sketch, { explain: 'changed' })
      const none = await runCase(sketch, { explain: 'none' })
      const all = await runCase(sketch, { explain: 'all' })
      expect(none.report.actions).toEqual([])
      expect(all.report.actions.filter(({ action }) => action !== 'kept')).toEqual(
        changed.report.actions,
      )
      const listed = all.report.actions.filter(({ action }) => action !== 'inserted')
      expect(listed.map(({ index }) => index)).toEqual(changed.posted.map((_, index) => index))
      for (const { action, tokensBefore, tokensAfter } of listed) {
        if (action === 'kept') expect(tokensAfter).toBe(tokensBefore)
      }
      for (const { report, output } of [none, all]) {
        expect(JSON.stringify(output)).toBe(JSON.stringify(changed.output))
        expect(report.tokensAfter).toBe(changed.report.tokensAfter)
      }
      if (changed.report.outcome !== 'unchanged') meet('a change')
    },
    { runs: 0.6, meets: { 'a change': 0.3 } },
  )

  property(
    'a dry run gives the same report and the conversation as it was posted',
    fc.record({ sketch: compactionCase(format) }),
    async ({ sketch }, meet) => {
      const wet = await runCase(sketch)
      const dry = await runCase(sketch, { dryRun: true })
      expect(reportOf(dry.report)).toEqual(reportOf(wet.report))
      expect(dry.result.budget).toEqual(wet.result.budget)
      expect(dry.result.conversation).toBe(sketch.payload[dry.result.list])
      if (wet.report.outcome !== 'unchanged') meet('a change')
    },
    { runs: 0.6, meets: { 'a change': 0.3 } },
  )
})

/** The embedded model's wall time differs between two runs. */
function reportOf({ relevance, ...report }: Awaited<ReturnType<typeof runCase>>['report']) {
  return {
    ...report,
    relevance: relevance === undefined ? undefined : { ...relevance, latencyMs: 0 },
  }
}
