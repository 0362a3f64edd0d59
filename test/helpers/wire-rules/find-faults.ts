import { findAiSdkFaults } from './ai-sdk.ts'
import { findAnthropicMessagesFaults } from './anthropic-messages.ts'
import { findGeminiFaults } from './gemini.ts'
import { findNeurolinkFaults } from './neurolink.ts'
import { findOpenaiChatFaults } from './openai-chat.ts'
import { findOpenaiResponsesFaults } from './openai-responses.ts'
import type { Fault, WireFormat, WirePayload } from './types.ts'

const FINDERS: Readonly<Record<WireFormat, (payload: WirePayload) => Fault[]>> = {
  'openai-chat': findOpenaiChatFaults,
  'anthropic-messages': findAnthropicMessagesFaults,
  neurolink: findNeurolinkFaults,
  'openai-responses': findOpenaiResponsesFaults,
  gemini: findGeminiFaults,
  'ai-sdk': findAiSdkFaults,
}

/**
 * Every rule of the format that the payload breaks; empty when the provider would take it. Written
 * from the providers' documents and refusals, apart from the adapters of this service, so that a
 * mistake in an adapter cannot hide in its own check.
 */
export function findFaults(format: WireFormat, payload: WirePayload): Fault[] {
  return FINDERS[format](payload)
}
