/** A message before and after, with what was decided about it. */
import type { Action, Answer, JsonValue } from './answer.ts'
import type { Input } from './read-input.ts'

export type Fate = Action['action']

export interface MessageRow {
  /** Place in the list of all rows. */
  readonly place: number
  readonly action: Action
  readonly fate: Fate
  /** Undefined for what was inserted. */
  readonly before: JsonValue | undefined
  /** Undefined for what was dropped. */
  readonly after: JsonValue | undefined
}

/** One per action: `explain: all` lists every message in order, and insertions where they stand. */
export function rowsOf({ items }: Input, answer: Answer): readonly MessageRow[] {
  const returned = conversationOf(answer)
  let next = 0
  return answer.actions.map((action, place) => {
    const after = action.action === 'dropped' ? undefined : returned[next]
    if (action.action !== 'dropped') next += 1
    return {
      place,
      action,
      fate: action.action,
      before: action.action === 'inserted' ? undefined : items[action.index],
      after,
    }
  })
}

export function conversationOf({ messages, input, contents }: Answer): readonly JsonValue[] {
  const list = messages ?? input ?? contents ?? []
  return typeof list === 'string' ? [{ role: 'user', content: list }] : list
}

export const FILTERS = ['all', 'changed', 'dropped', 'rewritten', 'kept', 'judged'] as const
export type Filter = (typeof FILTERS)[number]

export function isShown({ fate, action }: MessageRow, filter: Filter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'changed':
      return fate !== 'kept'
    case 'judged':
      return action.probability !== undefined
    default:
      return fate === filter
  }
}
