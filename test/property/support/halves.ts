import fc from 'fast-check'
import { type ConversationPayload, itemsOf, withItems } from '../../helpers/arbitraries/index.ts'
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
  const items = itemsOf(payload)
  const places = items.flatMap((message, index) => (isRequest(message) ? [index] : []))
  const before = new Map<number, Record<string, unknown>[]>()
  for (const [number, half] of sketches.entries()) {
    const place = places[half.place % Math.max(1, places.length)] ?? 0
    before.set(place, [...(before.get(place) ?? []), write(format, half, `half_${number}`)])
  }
  return withItems(
    payload,
    items.flatMap((message, index) => [...(before.get(index) ?? []), message]),
  )
}

function isRequest({ role, content, parts }: Record<string, unknown>): boolean {
  const blocks = [...asArray(content), ...asArray(parts)].map(asRecord)
  const carriesResults = blocks.some(
    ({ type, functionResponse, function_response: snake }) =>
      type === 'tool_result' || functionResponse !== undefined || snake !== undefined,
  )
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
    case 'openai-responses':
      return kind === 'call'
        ? { type: 'function_call', call_id: id, name: 'ping', arguments: '{}' }
        : { type: 'function_call_output', call_id: id, output: 'stray' }
    case 'gemini': {
      const response = { ...(named && { id }), name: 'ping', response: { output: 'stray' } }
      return kind === 'call'
        ? {
            role: 'model',
            parts: [{ functionCall: { ...(named && { id }), name: 'ping', args: {} } }],
          }
        : { role: 'user', parts: [{ functionResponse: response }] }
    }
    case 'ai-sdk': {
      const call = { type: 'tool-call', toolCallId: id, toolName: 'ping', input: {} }
      const output = { type: 'text', value: 'stray' }
      const result = { type: 'tool-result', toolCallId: id, toolName: 'ping', output }
      return kind === 'call'
        ? { role: 'assistant', content: [call] }
        : { role: 'tool', content: [result] }
    }
  }
}
