/** Several steps told as one run on what was posted. */
import type { Explain } from '../../engine/actions.ts'
import { type Insertion, isEmptyPlan, type Plan } from '../../engine/edit.ts'
import { closeLinks } from '../../engine/groups.ts'
import { protect } from '../../engine/protection.ts'
import type { Action, ActionReason, CompactionReport, DropCount } from '../../engine/report.ts'
import { type Entry, entryTokens, type Transcript, type Warning } from '../../engine/transcript.ts'
import { mergeRelevance, mergeStages } from './merge-reports.ts'
import type { StepReport } from './step-report.ts'
import { type Changes, traceChanges } from './trace-changes.ts'
import type { Slot } from './view.ts'

export interface TakenStep {
  /** What the step began with; the numbers in `plan` and `report` are places in it. */
  readonly slots: readonly Slot[]
  readonly plan: Plan
  readonly report: StepReport
  readonly view: readonly Slot[]
  readonly recalled: boolean
}

export interface ComposeInput {
  readonly transcript: Transcript
  readonly target: number
  readonly steps: readonly TakenStep[]
  /** Of the last turn's own, where nothing could be done. */
  readonly inVain: StepReport | undefined
  /** What goes back. */
  readonly view: readonly Slot[]
  readonly tokensAfter: number
  readonly bytes: CompactionReport['bytes']
  readonly explain: Explain
  readonly protectRecent: number
  readonly pins: ReadonlySet<number>
  readonly frozen: number
}

/**
 * Every change by the number of the posted message, as the last step that touched it explains it; the
 * totals add up from what was posted to what goes back.
 */
export function composeReport(input: ComposeInput): CompactionReport {
  const { transcript, target, steps, inVain, view, tokensAfter, bytes } = input
  const reports = [...steps.map(reportOnPosted), ...(inVain === undefined ? [] : [inVain])]
  const last = reports.at(-1)
  if (last === undefined) throw new RangeError('There is no step to tell about')
  const { beside, entries } = transcript
  const tokensBefore = entries.reduce(
    (sum, entry) => sum + entryTokens(entry),
    beside.instructionsTokens + beside.toolsTokens + beside.framingTokens,
  )
  const plan = composePlan(steps, view, entries.length)
  const changes = traceChanges(steps)
  const stages = mergeStages(reports, tokensBefore)
  const relevance = mergeRelevance(reports)
  const summary = reports.findLast((report) => report.summary !== undefined)?.summary
  const fits = tokensAfter <= target && (bytes === undefined || bytes.after <= bytes.max)
  return {
    outcome: isEmptyPlan(plan) ? 'unchanged' : fits ? 'compacted' : 'partial',
    fits,
    stagesUsed: stages.filter(({ status }) => status === 'applied').map(({ stage }) => stage),
    tokensBefore,
    tokensAfter,
    target,
    bytes,
    floor: last.floor,
    stages,
    ...(relevance !== undefined && { relevance }),
    ...(summary !== undefined && { summary }),
    drops: countDrops(changes),
    probabilities: reports.flatMap((report) => report.probabilities),
    actions: listActions(input, plan, changes),
    warnings: mergeWarnings(transcript, reports),
    plan,
  }
}

/** What a step has put in and a later one has taken out again was never posted, and is not counted. */
function reportOnPosted({ slots, report }: TakenStep): StepReport {
  const own = report.actions.filter(
    ({ action, index }) => action === 'dropped' && slots[index]?.origin === undefined,
  )
  if (own.length === 0) return report
  const stages = report.stages.map((one) => ({
    ...one,
    dropped: one.dropped - own.filter(({ stage }) => stage === one.stage).length,
  }))
  return { ...report, stages }
}

function composePlan(steps: readonly TakenStep[], view: readonly Slot[], length: number): Plan {
  const left = new Set(view.map(({ origin }) => origin))
  const dropped = new Set<number>()
  for (let index = 0; index < length; index += 1) if (!left.has(index)) dropped.add(index)

  const replaced = new Map<number, ReadonlyMap<number, string>>()
  for (const { slots, plan } of steps) {
    for (const [place, texts] of plan.replaced) {
      const origin = slots[place]?.origin
      if (origin === undefined || dropped.has(origin)) continue
      replaced.set(origin, new Map([...(replaced.get(origin) ?? []), ...texts]))
    }
  }

  const insertions: Insertion[] = []
  let before = length
  for (const { origin, insertion } of view.toReversed()) {
    if (insertion !== undefined) insertions.unshift({ ...insertion, before })
    before = origin ?? before
  }
  return { dropped, replaced, insertions }
}

function countDrops({ posted }: Changes): DropCount[] {
  const counts = new Map<string, DropCount>()
  for (const { action, stage, reason } of posted.values()) {
    if (action !== 'dropped' || stage === undefined) continue
    // A marker stands for messages and is none.
    if (reason === 'superseded-marker') continue
    const key = `${stage} ${reason}`
    counts.set(key, {
      stage,
      reason: reason as ActionReason,
      count: (counts.get(key)?.count ?? 0) + 1,
    })
  }
  return [...counts.values()]
}

function listActions(input: ComposeInput, plan: Plan, { posted, inserted }: Changes): Action[] {
  if (input.explain === 'none') return []
  const { entries } = input.transcript
  const tokensOf = (index: number): number => entryTokens(entries[index] as Entry)
  const actions = [...posted.values()].map((action) => ({
    ...action,
    tokensBefore: tokensOf(action.index),
  }))
  if (input.explain === 'all') actions.push(...keptActions(input, posted))
  const insertions = input.view.flatMap(({ insertion }) => insertion ?? [])
  for (const [order, { before }] of plan.insertions.entries()) {
    const action = inserted.get(insertions[order] as Insertion)
    if (action !== undefined) actions.push({ ...action, index: before })
  }
  const isInserted = (action: Action): number => (action.action === 'inserted' ? 0 : 1)
  return actions.sort((a, b) => a.index - b.index || isInserted(a) - isInserted(b))
}

/** Why the rest stays, as it stands for the turn that is answered now. */
function keptActions(
  { transcript, protectRecent, pins, frozen }: ComposeInput,
  posted: Changes['posted'],
): Action[] {
  const groups = closeLinks(transcript)
  const protection = protect({ transcript, groups, protectRecent, pins, frozen })
  return transcript.entries.flatMap((entry): Action[] => {
    const { index, id } = entry
    if (posted.has(index)) return []
    const tokens = entryTokens(entry)
    return [
      {
        index,
        ...(id !== undefined && { id }),
        action: 'kept',
        reason: protection.reason(index) ?? 'within-target',
        tokensBefore: tokens,
        tokensAfter: tokens,
      },
    ]
  })
}

/** Those of a step without its pointers, which lead into what the step began with. */
function mergeWarnings({ warnings }: Transcript, reports: readonly StepReport[]): Warning[] {
  const merged = [...warnings]
  for (const warning of reports.flatMap((report) => report.warnings)) {
    const isKnown = merged.some(
      ({ code, message }) => code === warning.code && message === warning.message,
    )
    if (!isKnown && warning.pointer === undefined) merged.push(warning)
  }
  return merged
}
