import fc from 'fast-check'
import type { WireFormat } from '../wire-rules/index.ts'
import { writeAiSdk } from './ai-sdk.ts'
import { writeAnthropicMessages } from './anthropic-messages.ts'
import { writeGemini } from './gemini.ts'
import { writeNeurolink } from './neurolink.ts'
import { writeOpenaiChat } from './openai-chat.ts'
import { writeOpenaiResponses } from './openai-responses.ts'
import { type Scenario, scenario } from './scenario.ts'
import type { ConversationPayload, ConversationSize } from './types.ts'

export const WIRE_FORMATS = [
  'openai-chat',
  'anthropic-messages',
  'neurolink',
  'openai-responses',
  'gemini',
  'ai-sdk',
] as const

/** How a scenario is written in each format. */
export const WRITERS: Readonly<Record<WireFormat, (scenario: Scenario) => ConversationPayload>> = {
  'openai-chat': writeOpenaiChat,
  'anthropic-messages': writeAnthropicMessages,
  neurolink: writeNeurolink,
  'openai-responses': writeOpenaiResponses,
  gemini: writeGemini,
  'ai-sdk': writeAiSdk,
}

export interface AnyConversation {
  readonly format: WireFormat
  readonly payload: ConversationPayload
}

/** Valid conversations of one format; 1 to 60 messages unless told otherwise. */
export function conversationOf(
  format: WireFormat,
  size: ConversationSize = {},
): fc.Arbitrary<ConversationPayload> {
  return scenario(size).map(WRITERS[format])
}

/** Valid conversations of every format, each with its name. */
export function anyConversation(size: ConversationSize = {}): fc.Arbitrary<AnyConversation> {
  return fc
    .record({ format: fc.constantFrom(...WIRE_FORMATS), scenario: scenario(size) })
    .map(({ format, scenario: sketch }) => ({ format, payload: WRITERS[format](sketch) }))
}
