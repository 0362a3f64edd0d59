import type { JsonObject, Transcript } from '../engine/transcript.ts'
import type { FormatAdapter, FormatId } from '../formats/adapter.ts'
import { createReadContext } from '../formats/read-context.ts'
import type { TokenCounter } from '../tokens/token-counter.ts'
import { identifyConversation } from './identify-conversation.ts'
import type { ConversationMembers } from './request.ts'
import type { ConversationServices } from './services.ts'

export interface ReadConversation {
  readonly payload: JsonObject
  readonly adapter: FormatAdapter
  readonly transcript: Transcript
  readonly counter: TokenCounter
  /** Name of the model by which text and media are counted, where there is one. */
  readonly model: string | undefined
}

/** Throws PrecisError for a conversation that is empty, too long, of no one format, or invalid. */
export function readConversation(
  members: ConversationMembers & { readonly format?: FormatId },
  services: Pick<ConversationServices, 'counters' | 'maxMessages'>,
): ReadConversation {
  const { payload, adapter, warnings } = identifyConversation(members, services)
  const model = members.model ?? adapter.usual.model
  const counter = services.counters.forModel(model)
  const transcript = adapter.read(payload, createReadContext(adapter, counter.countTokens, model))
  return {
    payload,
    adapter,
    counter,
    model,
    transcript: { ...transcript, warnings: [...warnings, ...transcript.warnings] },
  }
}

/** The same conversation with other messages. Throws likewise. */
export function readAgain(conversation: ReadConversation, payload: JsonObject): ReadConversation {
  const { adapter, counter, model } = conversation
  const context = createReadContext(adapter, counter.countTokens, model)
  return { ...conversation, payload, transcript: adapter.read(payload, context) }
}
