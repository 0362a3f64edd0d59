import type { JsonValue } from '../../engine/transcript.ts'
import { isArray, isRecord, pointer } from '../json.ts'
import type { WireRule } from '../wire-rule.ts'
import { isDirective } from './blocks.ts'
import type { Context } from './rule-context.ts'
import { blockPointer } from './turns.ts'

const API_REFERENCE = 'Anthropic API reference, Create a message, messages'

export const CONTENT_RULES: readonly WireRule<Context>[] = [
  {
    id: 'empty-content',
    source: `${API_REFERENCE}: content is not empty, but for the last message if it is an assistant's`,
    run: ({ messages }, report) => {
      for (const [index, message] of messages.entries()) {
        if (!isRecord(message) || !isEmpty(message.content) || isDirective(message)) continue
        if (index === messages.length - 1 && message.role === 'assistant') continue
        report(pointer('messages', index, 'content'), 'must not be empty')
      }
    },
  },
  {
    id: 'empty-text',
    source: `${API_REFERENCE}: text blocks hold text that is more than white space; enforced with a 400`,
    run: ({ payload, turns }, report) => {
      for (const [position, block] of listOf(payload.system).entries()) {
        if (isBlankText(block)) report(pointer('system', position), 'is a text without text')
      }
      for (const { blocks } of turns) {
        for (const block of blocks) {
          const { type, value } = block
          if (isBlankText(value)) report(blockPointer(block), 'is a text without text')
          if (type !== 'tool_result') continue
          for (const [position, inner] of listOf(value.content).entries()) {
            if (!isBlankText(inner)) continue
            report(`${blockPointer(block)}/content/${position}`, 'is a text without text')
          }
        }
      }
    },
  },
]

function isEmpty(content: JsonValue | undefined): boolean {
  if (isArray(content)) return content.length === 0
  return typeof content !== 'string' || content === ''
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isArray(value) ? value : []
}

/**
 * Looks for the first character that counts; a long text is not copied to be trimmed. A compaction
 * may be without a summary (null), not with an empty one (SDK types, `BetaCompactionBlockParam`).
 */
function isBlankText(block: JsonValue): boolean {
  if (!isRecord(block)) return false
  const { type, text, content } = block
  if (type === 'compaction') return content === ''
  return type === 'text' && (typeof text !== 'string' || !/\S/.test(text))
}
