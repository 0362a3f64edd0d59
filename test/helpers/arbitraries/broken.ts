import fc from 'fast-check'
import type { Fault, WireFormat } from '../wire-rules/index.ts'
import { breakAiSdk } from './broken-ai-sdk.ts'
import { breakAnthropicMessages } from './broken-anthropic-messages.ts'
import { breakGemini } from './broken-gemini.ts'
import { breakNeurolink } from './broken-neurolink.ts'
import { breakOpenaiChat } from './broken-openai-chat.ts'
import { breakOpenaiResponses } from './broken-openai-responses.ts'
import { itemsOf, withItems } from './conversation-list.ts'
import { conversationOf, WIRE_FORMATS } from './conversations.ts'
import type { ConversationPayload, ConversationSize, JsonObject } from './types.ts'

/** One way to break a given conversation, with what the oracle must then say. */
export interface Mutation {
  readonly name: string
  /** The messages with the change made; made on demand, as most of the candidates are not used. */
  readonly write: () => readonly JsonObject[]
  /** Set beside the messages. */
  readonly members?: JsonObject
  /** All faults of the mutated conversation, in the order of the oracle. Mostly one; a result that was moved makes two. */
  readonly faults: readonly [Fault, ...Fault[]]
}

export interface BrokenConversation {
  readonly format: WireFormat
  readonly mutation: string
  readonly valid: ConversationPayload
  readonly payload: ConversationPayload
  /** The first of `faults`, after which the mutation is named. */
  readonly fault: Fault
  readonly faults: readonly [Fault, ...Fault[]]
}

type Break = (messages: readonly JsonObject[], payload: JsonObject) => Mutation[]

const BREAKERS: Readonly<Record<WireFormat, Break>> = {
  'openai-chat': breakOpenaiChat,
  'anthropic-messages': breakAnthropicMessages,
  neurolink: breakNeurolink,
  'openai-responses': breakOpenaiResponses,
  gemini: breakGemini,
  'ai-sdk': breakAiSdk,
}

/** Conversations of one format that were valid until a single thing was changed. */
export function brokenConversationOf(
  format: WireFormat,
  size: ConversationSize = {},
): fc.Arbitrary<BrokenConversation> {
  return fc
    .record({ valid: conversationOf(format, size), kind: fc.nat(), place: fc.nat() })
    .map(({ valid, kind, place }) => {
      const mutations = BREAKERS[format](itemsOf(valid), valid)
      const names = [...new Set(mutations.map(({ name }) => name))]
      const name = names[kind % names.length]
      const candidates = mutations.filter((mutation) => mutation.name === name)
      const mutation = candidates[place % candidates.length]
      if (mutation === undefined) throw new Error('every conversation has a request to break')
      const payload = JSON.parse(
        JSON.stringify({ ...withItems(valid, mutation.write()), ...mutation.members }),
      )
      const { faults } = mutation
      return { format, mutation: mutation.name, valid, payload, fault: faults[0], faults }
    })
}

/** Broken conversations of every format. */
export function brokenConversations(size: ConversationSize = {}): fc.Arbitrary<BrokenConversation> {
  return fc.constantFrom(...WIRE_FORMATS).chain((format) => brokenConversationOf(format, size))
}
