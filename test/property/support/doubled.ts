import type fc from 'fast-check'
import { WRITERS } from '../../helpers/arbitraries/conversations.ts'
import {
  type ConversationPayload,
  type ConversationSize,
  itemsOf,
  withItems,
} from '../../helpers/arbitraries/index.ts'
import { scenario } from '../../helpers/arbitraries/scenario.ts'
import type { WireFormat } from '../../helpers/wire-rules/index.ts'

/** A conversation that begins with a request and ends with an answer, so that another may follow it. */
export function closedConversation(
  format: WireFormat,
  size: ConversationSize,
): fc.Arbitrary<ConversationPayload> {
  return scenario(size).map((sketch) =>
    WRITERS[format]({
      ...sketch,
      tail: 'answer',
      opening: { ...sketch.opening, system: 'none', summary: false, skill: false, marker: false },
    }),
  )
}

/** The conversation twice in a row. The second time its messages and calls have ids of their own. */
export function doubled(payload: ConversationPayload): ConversationPayload {
  const items = itemsOf(payload)
  const again = JSON.stringify(items).replace(
    /"((?:m|call)-|[a-z]+(?:_[a-z]+)*_)(\d+)"/g,
    '"$1$2b"',
  )
  return withItems(payload, [...items, ...JSON.parse(again)])
}
