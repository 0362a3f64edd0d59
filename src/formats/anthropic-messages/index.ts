import type { FormatAdapter } from '../adapter.ts'
import { verdictOf } from '../evidence.ts'
import { checkAnthropicMessages } from './check.ts'
import { findAnthropicEvidence } from './detect.ts'
import { FRAMING, readAnthropicMessages } from './read.ts'
import { writeAnthropicMessages } from './write.ts'

/** Anthropic Messages. */
export const anthropicMessages: FormatAdapter = {
  id: 'anthropic-messages',
  detect: (payload) => verdictOf(findAnthropicEvidence(payload)),
  read: readAnthropicMessages,
  write: writeAnthropicMessages,
  countInsertion: (text, countTokens) => FRAMING.message + countTokens(text),
  check: checkAnthropicMessages,
}
