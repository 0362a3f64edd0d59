/** Where a posted conversation stands, and of which format it is. */
import { PrecisError } from '../engine/errors.ts'
import type { JsonObject, Warning } from '../engine/transcript.ts'
import type { FormatAdapter, FormatId } from '../formats/adapter.ts'
import { itemsOf, LIST_MEMBERS } from '../formats/conversation-list.ts'
import { detectFormat, FORMATS } from '../formats/index.ts'
import { type ConversationMembers, payloadOf } from './request.ts'
import type { ConversationServices } from './services.ts'

export interface IdentifiedConversation {
  readonly payload: JsonObject
  readonly adapter: FormatAdapter
  /** `format-assumed` where several formats fit alike. */
  readonly warnings: readonly Warning[]
}

/** Throws PrecisError for a conversation that is missing, empty, too long, or of no one format. */
export function identifyConversation(
  members: ConversationMembers & { readonly format?: FormatId },
  { maxMessages }: Pick<ConversationServices, 'maxMessages'>,
): IdentifiedConversation {
  const payload = payloadOf(members)
  checkLength(payload, maxMessages)
  const { format, warnings } = chooseFormat(payload, members.format)
  return { payload, adapter: FORMATS[format], warnings }
}

/** The one member that holds the conversation, and a number of messages within the limits. */
function checkLength(payload: JsonObject, maxMessages: number): void {
  const [list, ...others] = LIST_MEMBERS.filter((name) => payload[name] !== undefined)
  if (list === undefined) {
    throw new PrecisError('invalid-request', 'The conversation is missing.', {
      faults: [
        {
          pointer: '/messages',
          rule: 'required',
          detail: 'is required, or input or contents in its place',
        },
      ],
    })
  }
  if (others.length > 0) {
    throw new PrecisError('invalid-request', 'The conversation stands in several places.', {
      faults: others.map((name) => ({
        pointer: `/${name}`,
        rule: 'one-conversation',
        detail: `must not stand beside ${list}`,
      })),
    })
  }
  const { length } = itemsOf(payload, list)
  const pointer = `/${list}`
  if (length === 0 || payload[list] === '') {
    throw new PrecisError('empty-conversation', 'The conversation has no messages.', {
      faults: [{ pointer, rule: 'min-items', detail: 'must have at least one message' }],
    })
  }
  if (length > maxMessages) {
    throw new PrecisError(
      'too-many-messages',
      `The conversation has ${length} messages; the limit is ${maxMessages}.`,
      {
        faults: [
          { pointer, rule: 'max-items', detail: `must have at most ${maxMessages} messages` },
        ],
      },
    )
  }
}

function chooseFormat(
  payload: JsonObject,
  named: FormatId | undefined,
): { format: FormatId; warnings: readonly Warning[] } {
  if (named !== undefined) return { format: named, warnings: [] }
  const detected = detectFormat(payload)
  if ('format' in detected) return { format: detected.format, warnings: detected.warnings }
  if ('ambiguous' in detected) {
    throw new PrecisError(
      'ambiguous-format',
      `The conversation has marks of several formats (${detected.ambiguous.join(', ')}). Name one in "format".`,
      { faults: detected.faults },
    )
  }
  throw new PrecisError(
    'unknown-format',
    `The conversation is of none of the formats ${Object.keys(FORMATS).join(', ')}.`,
    { faults: detected.faults },
  )
}
