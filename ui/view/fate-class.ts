import type { MessageRow } from '../data/rows.ts'

/** Reasons to keep a message that no answer of a model changes. */
const FREE = new Set(['not-judged', 'within-target'])

export function fateClass({ fate, action }: MessageRow): string {
  return fate === 'kept' && !FREE.has(action.reason) ? 'pinned' : fate
}
