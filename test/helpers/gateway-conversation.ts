/** Conversations that outgrow a small window, as gateways post them. */

export type ChatMessage = Readonly<Record<string, unknown>>

/** The window that `GATEWAY_MODEL` has in the services of these tests. */
export const GATEWAY_WINDOW = 6_000
export const GATEWAY_MODEL = 'gateway-test-model'

/** For a service that knows the model. Nothing is judged: what is dropped is dropped by its place. */
export const GATEWAY_ENVIRONMENT = {
  PRECIS_DECIDE_WIRE: 'none',
  PRECIS_MODEL_WINDOWS: JSON.stringify({
    [GATEWAY_MODEL]: { contextWindow: GATEWAY_WINDOW, maxOutputTokens: 1_000 },
  }),
} as const

const words = (topic: string, count: number): string =>
  Array.from(
    { length: count },
    (_, index) => `${topic} line ${index} of the log says all is well.`,
  ).join('\n')

/** A task and then exchanges of one tool call each, oldest first, with a question at the end. */
export function toolConversation(exchanges = 12, lines = 60): ChatMessage[] {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'You keep the build of a small project green.' },
    { role: 'user', content: 'Find out why the nightly build fails, step by step.' },
  ]
  for (let number = 0; number < exchanges; number += 1) {
    const id = `call_${number}`
    messages.push(
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          {
            id,
            type: 'function',
            function: { name: 'read_log', arguments: `{"step":${number}}` },
          },
        ],
      },
      { role: 'tool', tool_call_id: id, content: words(`step ${number}`, lines) },
      { role: 'assistant', content: `Step ${number} is fine; I go on to the next one.` },
      { role: 'user', content: `Go on with step ${number + 1}.` },
    )
  }
  return messages
}

/** Plain turns of two speakers. */
export function plainConversation(turns = 40, lines = 20): ChatMessage[] {
  const messages: ChatMessage[] = [{ role: 'system', content: 'You answer briefly.' }]
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push(
      { role: 'user', content: words(`question ${turn}`, lines) },
      { role: 'assistant', content: words(`answer ${turn}`, lines) },
    )
  }
  messages.push({ role: 'user', content: 'And what was the first question?' })
  return messages
}

/** Anthropic's form of a tool conversation. */
export function anthropicConversation(exchanges = 12, lines = 60): ChatMessage[] {
  const messages: ChatMessage[] = [
    { role: 'user', content: 'Find out why the nightly build fails, step by step.' },
  ]
  for (let number = 0; number < exchanges; number += 1) {
    const id = `toolu_${number}`
    messages.push(
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'read_log', input: { step: number } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: id, content: words(`step ${number}`, lines) },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: `Step ${number} is fine.` }] },
      { role: 'user', content: [{ type: 'text', text: `Go on with step ${number + 1}.` }] },
    )
  }
  return messages
}
