/** One action per message that changed, whatever number of stages touched it. */
import type { Plan } from './edit.ts'
import type { PipelineResult } from './pipeline.ts'
import type { Protection } from './protection.ts'
import type { Action, DropCount } from './report.ts'
import type { CountedInsertion, ReadonlyState } from './state.ts'
import { type Entry, entryTokens, type Transcript } from './transcript.ts'

export type Explain = 'none' | 'changed' | 'all'

export interface ActionsInput {
  readonly transcript: Transcript
  readonly state: ReadonlyState
  readonly protection: Protection
  readonly pipeline: Pick<PipelineResult, 'why' | 'needed'>
  readonly plan: Plan
  readonly explain: Explain
}

/** In conversation order; the sum of tokensBefore - tokensAfter is what the run saved. */
export function listActions(input: ActionsInput): Action[] {
  if (input.explain === 'none') return []
  const { insertions } = input.state
  const actions: Action[] = []
  let next = 0
  const insertBefore = (index: number): void => {
    for (let insertion = insertions[next]; insertion !== undefined; insertion = insertions[next]) {
      if (insertion.before > index) return
      actions.push(insertedAction(insertion))
      next += 1
    }
  }
  for (const entry of input.transcript.entries) {
    insertBefore(entry.index)
    const action = actionOf(entry, input)
    if (action !== undefined) actions.push(action)
  }
  insertBefore(Number.POSITIVE_INFINITY)
  return actions
}

/** Messages gone, by stage and reason, markers of earlier runs not among them. */
export function countDrops(plan: Plan, why: PipelineResult['why']): DropCount[] {
  const counts = new Map<string, DropCount>()
  for (const index of plan.dropped) {
    const because = why.get(index)
    if (because === undefined || because.reason === 'superseded-marker') continue
    const { stage, reason } = because
    const key = `${stage} ${reason}`
    counts.set(key, { stage, reason, count: (counts.get(key)?.count ?? 0) + 1 })
  }
  return [...counts.values()]
}

function insertedAction(insertion: CountedInsertion): Action {
  return {
    index: insertion.before,
    stage: insertion.stage,
    action: 'inserted',
    reason: insertion.kind,
    tokensBefore: 0,
    tokensAfter: insertion.tokens,
  }
}

function actionOf(entry: Entry, input: ActionsInput): Action | undefined {
  const { plan, pipeline, state } = input
  const dropped = plan.dropped.has(entry.index)
  const rewritten = !dropped && plan.replaced.has(entry.index)
  const because = pipeline.why.get(entry.index)
  const base = {
    index: entry.index,
    ...(entry.id !== undefined && { id: entry.id }),
    ...judgement(entry, input),
    tokensBefore: entryTokens(entry),
    tokensAfter: state.tokensOf(entry.index),
  }
  if ((dropped || rewritten) && because !== undefined) {
    return {
      ...base,
      stage: because.stage,
      action: dropped ? 'dropped' : 'rewritten',
      reason: because.reason,
    }
  }
  if (input.explain !== 'all') return undefined
  const pin = input.protection.reason(entry.index)
  const judged = pipeline.needed.has(entry.index)
  return {
    ...base,
    action: 'kept',
    reason: pin ?? (judged ? 'within-target' : 'not-eligible'),
  }
}

function judgement(entry: Entry, input: ActionsInput): Pick<Action, 'probability' | 'confidence'> {
  const probability = input.pipeline.needed.get(entry.index)
  return probability === undefined
    ? {}
    : { probability, confidence: Math.abs(probability - 0.5) * 2 }
}
