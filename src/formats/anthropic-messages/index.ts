import type { FormatAdapter } from '../adapter.ts'
import { ANTHROPIC_MESSAGES_CHANGE_RULES } from './change-rules.ts'
import { ANTHROPIC_MESSAGES_RULES, checkAnthropicMessages } from './check.ts'
import { findAnthropicEvidence } from './detect.ts'
import { FRAMING, readAnthropicMessages } from './read.ts'
import { writeAnthropicMessages } from './write.ts'

/** Anthropic Messages. */
export const anthropicMessages: FormatAdapter = {
  id: 'anthropic-messages',
  list: 'messages',
  usual: { model: 'claude', provider: 'anthropic' },
  findEvidence: findAnthropicEvidence,
  read: readAnthropicMessages,
  write: writeAnthropicMessages,
  countInsertion: (text, countTokens) => FRAMING.message + countTokens(text),
  rules: ANTHROPIC_MESSAGES_RULES,
  check: checkAnthropicMessages,
  changeRules: ANTHROPIC_MESSAGES_CHANGE_RULES,
}
