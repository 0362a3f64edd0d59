import { PrecisError } from '../engine/errors.ts'
import type { JsonObject, Transcript, Warning } from '../engine/transcript.ts'
import type { FormatAdapter, FormatId } from '../formats/adapter.ts'
import { detectFormat, FORMATS } from '../formats/index.ts'
import { createReadContext } from '../formats/read-context.ts'
import type { TokenCounter } from '../tokens/token-counter.ts'
import { type ConversationMembers, payloadOf } from './request.ts'
import type { ConversationServices } from './services.ts'

export interface ReadConversation {
  readonly payload: JsonObject
  readonly adapter: FormatAdapter
  readonly transcript: Transcript
  readonly counter: TokenCounter
}

/** A conversation in a maker's own format is counted for that maker's models. */
const MODEL_OF_FORMAT: Readonly<Record<FormatId, string | undefined>> = {
  'openai-chat': undefined,
  'anthropic-messages': 'claude',
  neurolink: undefined,
}

/** Throws PrecisError for a conversation that is empty, too long, of no one format, or invalid. */
export function readConversation(
  members: ConversationMembers & { readonly format?: FormatId },
  services: Pick<ConversationServices, 'counters' | 'maxMessages'>,
): ReadConversation {
  const { messages } = members
  if (messages.length === 0) {
    throw new PrecisError('empty-conversation', 'The conversation has no messages.', {
      faults: [
        { pointer: '/messages', rule: 'min-items', detail: 'must have at least one message' },
      ],
    })
  }
  if (messages.length > services.maxMessages) {
    throw new PrecisError(
      'too-many-messages',
      `The conversation has ${messages.length} messages; the limit is ${services.maxMessages}.`,
      {
        faults: [
          {
            pointer: '/messages',
            rule: 'max-items',
            detail: `must have at most ${services.maxMessages} messages`,
          },
        ],
      },
    )
  }
  const payload = payloadOf(members)
  const { format, warnings } = chooseFormat(payload, members.format)
  const adapter = FORMATS[format]
  const model = members.model ?? MODEL_OF_FORMAT[format]
  const counter = services.counters.forModel(model)
  const transcript = adapter.read(payload, createReadContext(format, counter.countTokens, model))
  return {
    payload,
    adapter,
    counter,
    transcript: { ...transcript, warnings: [...warnings, ...transcript.warnings] },
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
