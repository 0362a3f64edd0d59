/** What became of each posted message over several steps. */
import type { Insertion } from '../../engine/edit.ts'
import type { Action } from '../../engine/report.ts'
import type { TakenStep } from './compose-report.ts'

export interface Changes {
  /** By number of the posted message: the last thing that happened to it. */
  readonly posted: ReadonlyMap<number, Action>
  /** What put a message in that was not posted. */
  readonly inserted: ReadonlyMap<Insertion, Action>
}

export function traceChanges(steps: readonly TakenStep[]): Changes {
  const posted = new Map<number, Action>()
  const inserted = new Map<Insertion, Action>()
  for (const { slots, plan, report } of steps) {
    const insertions = [...plan.insertions].sort((a, b) => a.before - b.before)
    let next = 0
    for (const action of report.actions) {
      if (action.action === 'kept') continue
      if (action.action === 'inserted') {
        const insertion = insertions[next]
        if (insertion !== undefined) inserted.set(insertion, action)
        next += 1
        continue
      }
      const slot = slots[action.index]
      if (slot?.origin !== undefined) {
        posted.set(slot.origin, { ...action, index: slot.origin })
      } else if (slot?.insertion !== undefined) {
        const before = inserted.get(slot.insertion)
        if (before !== undefined) {
          inserted.set(slot.insertion, { ...before, tokensAfter: action.tokensAfter })
        }
      }
    }
  }
  return { posted, inserted }
}
