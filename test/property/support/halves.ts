import fc from 'fast-check'
import type { ConversationPayload } from '../../helpers/arbitraries/index.ts'
import type { WireFormat } from '../../helpers/wire-rules/index.ts'
import { asArray, asRecord } from '../../helpers/wire-rules/json.ts'

/** Half of a tool exchange, and which of the user's messages it stands before, modulo their count. */
interface Half {
  readonly kind: 'call' | 'result'
  readonly place: number
  /** Whether it names its exchange, in the format that may leave that out. */
  readonly named: boolean
}

export const halves: fc.Arbitrary<Half[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<Half['kind'][]>('call', 'result'),
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
  const places = payload.messages.flatMap((message, index) => (isRequest(message) ? [index] : []))
  const before = new Map<number, ConversationPayload['messages']>()
  for (const [number, half] of sketches.entries()) {
    const place = places[half.place % Math.max(1, places.length)] ?? 0
    before.set(place, [...(before.get(place) ?? []), write(format, half, `half_${number}`)])
  }
  const messages = payload.messages.flatMap((message, index) => [
    ...(before.get(index) ?? []),
    message,
  ])
  return { ...payload, messages }
}

function isRequest({ role, content }: Record<string, unknown>): boolean {
  const carriesResults = asArray(content).some((block) => asRecord(block).type === 'tool_result')
  return role === 'user' && !carriesResults
}

function write(format: WireFormat, { kind, named }: Half, id: string): Record<string, unknown> {
  switch (format) {
    case 'openai-chat': {
      const call = { id, type: 'function', function: { name: 'ping', arguments: '{}' } }
      return kind === 'call'
        ? { role: 'assistant', content: null, tool_calls: [call] }
        : { role: 'tool', tool_call_id: id, content: 'stray' }
    }
    case 'anthropic-messages': {
      const result = { type: 'tool_result', tool_use_id: id, content: 'stray' }
      return kind === 'call'
        ? { role: 'assistant', content: [{ type: 'tool_use', id, name: 'ping', input: {} }] }
        : { role: 'user', content: [result] }
    }
    case 'neurolink': {
      const members = { id, tool: 'ping', ...(named && { toolCallId: id }) }
      return kind === 'call'
        ? { ...members, role: 'tool_call', content: '', args: {} }
        : { ...members, role: 'tool_result', content: 'stray' }
    }
  }
}
