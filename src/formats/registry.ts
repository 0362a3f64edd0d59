import type { FormatAdapter, FormatId } from './adapter.ts'
import { aiSdk } from './ai-sdk/index.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import { gemini } from './gemini/index.ts'
import { neurolink } from './neurolink/index.ts'
import { openaiChat } from './openai-chat/index.ts'
import { openaiResponses } from './openai-responses/index.ts'

/** Every format by its id. The order is that in which a tie of detection is broken. */
export const FORMATS: Readonly<Record<FormatId, FormatAdapter>> = {
  'openai-chat': openaiChat,
  'anthropic-messages': anthropicMessages,
  neurolink,
  'ai-sdk': aiSdk,
  'openai-responses': openaiResponses,
  gemini,
}
