import type { FormatAdapter } from '../adapter.ts'
import { checkOpenaiChat, OPENAI_CHAT_RULES } from './check.ts'
import { findOpenaiChatEvidence } from './detect.ts'
import { FRAMING, readOpenaiChat } from './read.ts'
import { writeOpenaiChat } from './write.ts'

/** OpenAI Chat Completions, and the many servers that speak it. */
export const openaiChat: FormatAdapter = {
  id: 'openai-chat',
  list: 'messages',
  usual: { model: undefined, provider: 'openai' },
  findEvidence: findOpenaiChatEvidence,
  read: readOpenaiChat,
  write: writeOpenaiChat,
  countInsertion: (text, countTokens) => FRAMING.message + countTokens(text),
  rules: OPENAI_CHAT_RULES,
  check: checkOpenaiChat,
  changeRules: [],
}
