import { itemsOf } from '../../helpers/arbitraries/index.ts'
import { type CompactionCase, protectRecentOf } from './compaction-case.ts'
import { type View, viewOf } from './message-view.ts'
import { pendingMessages } from './pending.ts'
import { pinnedIndexes } from './run-case.ts'

/**
 * What must survive a run, read off the wire by eye and not by an adapter, so that a mistake in how
 * the engine sees a conversation cannot hide what it removes.
 */
export interface Pins {
  /** Come back as they are. */
  readonly identical: ReadonlySet<number>
  /** Come back as they are but for tool results, which may be shortened. */
  readonly spoken: ReadonlySet<number>
  /** Come back, whatever is left of their text. */
  readonly present: ReadonlySet<number>
  /** Come back as they are, unless a newer summary carries them forward. */
  readonly summaries: ReadonlySet<number>
}

export function pinsOf(sketch: CompactionCase): Pins {
  const { format, payload } = sketch
  const items = itemsOf(payload)
  const messages = items.map((message) => viewOf(format, message))
  const markers = new Set(indexesOf(messages, ({ isMarker }) => isMarker))
  const isConversation = (_: View, index: number) => !markers.has(index)
  const talk = indexesOf(messages, ({ speaks }) => speaks)
  const counted = indexesOf(messages, isConversation)
  const recent = counted.slice(Math.max(0, counted.length - protectRecentOf(sketch)))
  const pinned = pinnedIndexes(sketch).filter((index) => !markers.has(index))
  return {
    identical: new Set([
      ...pinned,
      ...indexesOf(messages, ({ role, isSkill }) => role === 'instructions' || isSkill),
      ...recent.filter((index) => messages[index]?.role === 'user' && !messages[index].isSummary),
      ...pendingMessages(format, items),
    ]),
    spoken: new Set([...talk.slice(0, 1), ...talk.slice(-1)]),
    present: new Set(recent.filter((index) => messages[index]?.isSummary === false)),
    summaries: new Set(
      indexesOf(messages, ({ isSummary }) => isSummary).filter((index) => !pinned.includes(index)),
    ),
  }
}

function indexesOf(
  messages: readonly View[],
  matches: (message: View, index: number) => boolean,
): number[] {
  return messages.flatMap((message, index) => (matches(message, index) ? [index] : []))
}
