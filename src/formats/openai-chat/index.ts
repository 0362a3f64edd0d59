import type { FormatAdapter } from '../adapter.ts'
import { verdictOf } from '../evidence.ts'
import { checkOpenaiChat } from './check.ts'
import { findOpenaiChatEvidence } from './detect.ts'
import { FRAMING, readOpenaiChat } from './read.ts'
import { writeOpenaiChat } from './write.ts'

/** OpenAI Chat Completions, and the many servers that speak it. */
export const openaiChat: FormatAdapter = {
  id: 'openai-chat',
  detect: (payload) => verdictOf(findOpenaiChatEvidence(payload)),
  read: readOpenaiChat,
  write: writeOpenaiChat,
  countInsertion: (text, countTokens) => FRAMING.message + countTokens(text),
  check: checkOpenaiChat,
}
