import { findAiSdkChanges } from './ai-sdk-changes.ts'
import { findGeminiChanges } from './gemini-changes.ts'
import { findOpenaiResponsesChanges } from './openai-responses-changes.ts'
import { sameSignatures } from './same-signatures.ts'
import type { Fault, WireFormat, WirePayload } from './types.ts'

type FindChanges = (before: WirePayload, after: WirePayload) => Fault[]

const FINDERS: Readonly<Record<WireFormat, FindChanges>> = {
  'openai-chat': () => [],
  'anthropic-messages': (before, after) =>
    sameSignatures(before, after) ? [] : [{ rule: 'sealed-changed', pointer: '/messages' }],
  neurolink: () => [],
  'openai-responses': findOpenaiResponsesChanges,
  gemini: findGeminiChanges,
  'ai-sdk': findAiSdkChanges,
}

/** What a change must not do and neither side alone can show; empty for a change that may be made. */
export function findChanges(format: WireFormat, before: WirePayload, after: WirePayload): Fault[] {
  return FINDERS[format](before, after)
}
