import { asArray, asRecord } from '../../helpers/wire-rules/json.ts'

type Message = Record<string, unknown>

const MARK = { cache_control: { type: 'ephemeral' } }

/** As some clients write them: every text in a list of blocks, and no mark on any. */
export function withoutMarks(items: readonly Message[]): Message[] {
  return items.map((item) => {
    const { cache_control: _own, ...message } = item
    if (typeof message.content === 'string' && isWritten(message)) {
      return { ...message, content: [{ type: 'text', text: message.content }] }
    }
    if (!Array.isArray(message.content)) return message
    return { ...message, content: message.content.map(withoutMark) }
  })
}

/** Those of Claude Code: on the last two messages that are not the model's. */
export function withMovingMarks(items: readonly Message[]): Message[] {
  const plain = withoutMarks(items)
  const others = plain.flatMap(({ role }, index) => (role === 'assistant' ? [] : [index]))
  for (const index of others.slice(-2)) plain[index] = withMarkAtEnd(plain[index] ?? {})
  return plain
}

/** One mark on one message, whatever else is marked. */
export function withMarkOn(items: readonly Message[], place: number): Message[] {
  return withoutMarks(items).map((item, index) => (index === place ? withMarkAtEnd(item) : item))
}

/** On its last block; on the message itself where it has none. */
function withMarkAtEnd(message: Message): Message {
  const blocks = asArray(message.content)
  if (blocks.length === 0) return { ...message, ...MARK }
  const dressed = blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...asRecord(block), ...MARK } : block,
  )
  return { ...message, content: dressed }
}

/** A message whose words may stand in blocks as well, in each format that has marks. */
function isWritten({ role, content }: Message): boolean {
  return role !== 'system' && role !== 'function' && content !== ''
}

function withoutMark(block: unknown): unknown {
  if (typeof block !== 'object' || block === null) return block
  const { cache_control: _mark, ...rest } = asRecord(block)
  return rest
}
