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
  const { plan, pipeline, protection, state } = input
  const { index } = entry
  const dropped = plan.dropped.has(index)
  const because = dropped || plan.replaced.has(index) ? pipeline.why.get(index) : undefined
  // Most messages of most runs stay as they are, and nothing is made for them.
  if (because === undefined && input.explain !== 'all') return undefined
  const tokensBefore = entryTokens(entry)
  const tokensAfter = state.tokensOf(index)
  if (because !== undefined) {
    const { stage, reason } = because
    const action = dropped ? 'dropped' : 'rewritten'
    return known({ index, stage, action, reason, tokensBefore, tokensAfter }, entry, input)
  }
  const judged = pipeline.needed.has(index) ? 'within-target' : 'not-judged'
  const reason = protection.reason(index) ?? judged
  return known({ index, action: 'kept', reason, tokensBefore, tokensAfter }, entry, input)
}

/** Adds what only some messages have: an id, and what a model said of them. */
function known(action: Action, { id, index }: Entry, { pipeline }: ActionsInput): Action {
  const probability = pipeline.needed.get(index)
  if (id === undefined && probability === undefined) return action
  return {
    ...action,
    ...(id !== undefined && { id }),
    ...(probability !== undefined && {
      probability,
      confidence: Math.abs(probability - 0.5) * 2,
    }),
  }
}
