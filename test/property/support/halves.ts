import fc from 'fast-check'
import type { ConversationPayload } from '../../helpers/arbitraries/index.ts'
import type { WireFormat } from '../../helpers/wire-rules/index.ts'
import { asArray, asRecord } from '../../helpers/wire-rules/json.ts'

/** Half of a tool exchange, and which of the plain messages it stands before, modulo their count. */
export interface Half {
  readonly kind: 'call' | 'result'
  readonly place: number
  /** Whether it names its exchange, in the format that may leave that out. */
  readonly named: boolean
}

export const halves: fc.Arbitrary<Half[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('call', 'result'),
    place: fc.nat({ max: 300 }),
    named: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
)

/** The conversation with calls that nobody answers, and results that nobody asked for, between its turns. */
export function withHalves(
  format: WireFormat,
  payload: ConversationPayload,
  sketches: readonly Half[],
): ConversationPayload {
  const plain = payload.messages.flatMap((message, index) => (isPlain(message) ? [index] : []))
  const before = new Map<number, object[]>()
  for (const [number, half] of sketches.entries()) {
    const place = plain[half.place % Math.max(1, plain.length)] ?? payload.messages.length
    before.set(place, [...(before.get(place) ?? []), write(format, half, number)])
  }
  const messages = payload.messages.flatMap((message, index) => [
    ...(before.get(index) ?? []),
    message,
  ])
  return { ...payload, messages: messages as ConversationPayload['messages'] }
}

/** A message of the user before which an exchange may end. */
function isPlain({ role, content }: Record<string, unknown>): boolean {
  return (
    role === 'user' && !asArray(content).some((block) => asRecord(block).type === 'tool_result')
  )
}

function write(format: WireFormat, { kind, named }: Half, number: number): object {
  const id = `half_${number}`
  switch (format) {
    case 'openai-chat':
      return kind === 'call'
        ? {
            role: 'assistant',
            content: null,
            tool_calls: [{ id, type: 'function', function: { name: 'ping', arguments: '{}' } }],
          }
        : { role: 'tool', tool_call_id: id, content: 'stray' }
    case 'anthropic-messages':
      return kind === 'call'
        ? { role: 'assistant', content: [{ type: 'tool_use', id, name: 'ping', input: {} }] }
        : {
            role: 'user',
            content: [{ type: 'tool_result', tool_use_id: id, content: 'stray' }],
          }
    case 'neurolink': {
      const members = { id, tool: 'ping', ...(named && { toolCallId: id }) }
      return kind === 'call'
        ? { ...members, role: 'tool_call', content: '', args: {} }
        : { ...members, role: 'tool_result', content: 'stray' }
    }
  }
}
