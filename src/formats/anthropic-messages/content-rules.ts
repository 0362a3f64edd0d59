import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
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
    run: ({ turns }, report) => {
      for (const { blocks } of turns) {
        for (const block of blocks) {
          const { type, value } = block
          if (isBlankText(type, value)) report(blockPointer(block), 'is a text without text')
          if (type !== 'tool_result' || !isArray(value.content)) continue
          for (const [position, inner] of value.content.entries()) {
            if (!isRecord(inner) || !isBlankText(inner.type, inner)) continue
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

/** Looks for the first character that counts; a long text is not copied to be trimmed. */
function isBlankText(type: JsonValue | undefined, { text }: JsonObject): boolean {
  return type === 'text' && (typeof text !== 'string' || !/\S/.test(text))
}
