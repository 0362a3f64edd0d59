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
}

/** A conversation in a maker's own format is counted for that maker's models. */
const MODEL_OF_FORMAT: Readonly<Record<FormatId, string | undefined>> = {
  'openai-chat': undefined,
  'anthropic-messages': 'claude',
  neurolink: undefined,
  'ai-sdk': undefined,
  'openai-responses': 'gpt-4o',
  gemini: 'gemini',
}

/** Throws PrecisError for a conversation that is empty, too long, of no one format, or invalid. */
export function readConversation(
  members: ConversationMembers & { readonly format?: FormatId },
  services: Pick<ConversationServices, 'counters' | 'maxMessages'>,
): ReadConversation {
  const { payload, adapter, warnings } = identifyConversation(members, services)
  const format = adapter.id
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
