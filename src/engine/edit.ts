/** Edits are data: what a stage would like to change, and what an adapter has to apply. */

export type Edit =
  | {
      readonly op: 'drop'
      readonly entry: number
      readonly reason: string
      readonly probability?: number
      readonly confidence?: number
    }
  | {
      readonly op: 'replace-text'
      readonly entry: number
      readonly part: number
      readonly text: string
      readonly reason: string
      readonly probability?: number
      readonly confidence?: number
    }
  | { readonly op: 'insert'; readonly insertion: Insertion; readonly reason: string }

/** A message that compaction adds: the counting marker or a summary. */
export interface Insertion {
  readonly kind: 'marker' | 'summary'
  /** The entry before which it stands; `entries.length` puts it last. */
  readonly before: number
  readonly role: 'user' | 'assistant'
  readonly text: string
  /** Number of caller's messages that it stands for, those of an earlier marker included. */
  readonly covers: number
  /** Ids of the first and the last covered message, where the caller gave ids. */
  readonly coversFrom?: string
  readonly coversTo?: string
}

/** The decisions of a whole run, apart from their application. */
export interface Plan {
  readonly dropped: ReadonlySet<number>
  /** entry -> part -> new text */
  readonly replaced: ReadonlyMap<number, ReadonlyMap<number, string>>
  /** In the order in which they stand. */
  readonly insertions: readonly Insertion[]
}

export function isEmptyPlan(plan: Plan): boolean {
  return plan.dropped.size === 0 && plan.replaced.size === 0 && plan.insertions.length === 0
}
