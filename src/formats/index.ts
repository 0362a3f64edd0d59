import type { FormatAdapter, FormatId } from './adapter.ts'
import { anthropicMessages } from './anthropic-messages/index.ts'
import { neurolink } from './neurolink/index.ts'
import { openaiChat } from './openai-chat/index.ts'

/** Every format by its id. The order is that in which a tie of detection is broken. */
export const FORMATS: Readonly<Record<FormatId, FormatAdapter>> = {
  'openai-chat': openaiChat,
  'anthropic-messages': anthropicMessages,
  neurolink,
}

export function isFormatId(name: string): name is FormatId {
  return Object.hasOwn(FORMATS, name)
}

export { detectFormat } from './detect-format.ts'
