import type { CompactRequest } from '../../../src/conversation/request.ts'

/** A posted conversation of about so many messages, in one format. */
export type BigShape = (
  messages: number,
) => Pick<CompactRequest, 'format' | 'messages' | 'input' | 'pins'>

const list = <Item>(length: number, write: (index: number) => Item): Item[] =>
  Array.from({ length }, (_, index) => write(index))

const words = (index: number) =>
  `message ${index} about the retry budget of parser ${index % 97} and table ${index % 31} in staging`

const speaker = (index: number) => (index % 2 === 0 ? 'user' : 'assistant')

const talk = (length: number) =>
  list(length, (index) => ({ role: speaker(index), content: words(index) }))

const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'read_file', arguments: '{"path":"src/app.ts"}' },
})

const named = (message: object, index: number) => ({ id: `m-${index}`, ...message })

/** A coding session as agents have them: a request, a few calls with their results, an answer. */
function session(length: number): { role: string; kind: string; turn: number }[] {
  const turn = ['request', 'call', 'result', 'call', 'result', 'answer']
  return list(length, (index) => {
    const kind = turn[index % turn.length] ?? 'answer'
    const role = kind === 'request' ? 'user' : kind === 'result' ? 'tool' : 'assistant'
    return { role, kind, turn: index - (kind === 'result' ? 1 : 0) }
  })
}

const functionCall = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'read_file',
  arguments: '{"path":"src/app.ts"}',
})

const functionOutput = (id: string, output: string) => ({
  type: 'function_call_output',
  call_id: id,
  output,
})

const thought = (index: number) => ({
  type: 'reasoning',
  id: `rs_${index}`,
  summary: [],
  encrypted_content: `gAAAA${index}`,
})

/** The same session in each format. */
export const SESSIONS = {
  'openai-chat': (length) => ({
    format: 'openai-chat',
    messages: session(length).map(({ role, kind, turn }, index) => {
      if (kind === 'call') return { role, content: null, tool_calls: [call(`call_${turn}`)] }
      if (kind === 'result') return { role, tool_call_id: `call_${turn}`, content: words(index) }
      return { role, content: words(index) }
    }),
  }),
  'anthropic-messages': (length) => ({
    format: 'anthropic-messages',
    messages: session(length).map(({ role, kind, turn }, index) => {
      const id = `toolu_${turn}`
      if (kind === 'call') {
        const thinking = { type: 'thinking', thinking: words(index), signature: `sig${index}` }
        const input = { path: `src/${turn % 40}.ts` }
        return { role, content: [thinking, { type: 'tool_use', id, name: 'read_file', input }] }
      }
      if (kind === 'result') {
        const result = { type: 'tool_result', tool_use_id: id, content: words(index) }
        return { role: 'user', content: [result] }
      }
      return { role, content: words(index) }
    }),
  }),
  neurolink: (length) => ({
    format: 'neurolink',
    messages: session(length).map(({ role, kind, turn }, index) => {
      const tool = { tool: 'read_file', toolCallId: `call-${turn}` }
      if (kind === 'call') {
        return named({ role: 'tool_call', content: '', ...tool, args: { path: 'a.ts' } }, index)
      }
      if (kind === 'result') {
        return named({ role: 'tool_result', content: words(index), ...tool }, index)
      }
      return named({ role, content: words(index) }, index)
    }),
  }),
} satisfies Record<string, BigShape>

/** Conversations made to hurt whoever walks a list within a list. */
export const HOSTILE_SHAPES: Readonly<Record<string, BigShape>> = {
  'calls whose results all come at the end': (length) => ({
    format: 'openai-responses',
    input: [
      { role: 'user', content: 'go' },
      ...list(length / 2, (index) => functionCall(`call_${index}`)),
      ...list(length / 2, (index) => functionOutput(`call_${index}`, words(index))),
      ...talk(10),
    ],
  }),
  'one call id for all items': (length) => ({
    format: 'openai-responses',
    input: [
      { role: 'user', content: 'go' },
      ...list(length, (index) =>
        index % 2 === 0 ? functionCall('call_x') : functionOutput('call_x', words(index)),
      ),
      ...talk(10),
    ],
  }),
  'thought upon thought': (length) => ({
    format: 'openai-responses',
    input: [
      { role: 'user', content: 'go' },
      ...list(length, thought),
      { role: 'assistant', content: 'gone' },
      ...talk(10),
    ],
  }),
  'each answer after a thought': (length) => ({
    format: 'openai-responses',
    input: [
      ...list(length, (index) =>
        index % 2 === 0 ? thought(index) : { role: 'assistant', content: words(index) },
      ),
      ...talk(10),
    ],
  }),
  'one batch of parallel calls': (length) => ({
    format: 'openai-chat',
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: list(length, (index) => call(`c${index}`)) },
      ...list(length, (index) => ({
        role: 'tool',
        tool_call_id: `c${index}`,
        content: words(index),
      })),
      ...talk(10),
    ],
  }),
  'one call with all the results': (length) => ({
    format: 'openai-chat',
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: null, tool_calls: [call('x')] },
      ...list(length, (index) => ({ role: 'tool', tool_call_id: 'x', content: words(index) })),
      ...talk(10),
    ],
  }),
  'one id for all calls': (length) => ({
    format: 'openai-chat',
    messages: [
      { role: 'user', content: 'go' },
      ...list(length, (index) =>
        index % 2 === 0
          ? { role: 'assistant', content: null, tool_calls: [call('x')] }
          : { role: 'tool', tool_call_id: 'x', content: words(index) },
      ),
      ...talk(10),
    ],
  }),
  'markers everywhere': (length) => ({
    format: 'openai-chat',
    messages: list(length, (index) => ({
      role: speaker(index),
      content:
        index % 2 === 0 && index > 0
          ? `[${index} earlier messages truncated to fit the context window]`
          : words(index),
    })),
  }),
  'summaries everywhere': (length) => ({
    format: 'openai-chat',
    messages: list(length, (index) => ({
      role: speaker(index),
      content:
        index % 2 === 0 && index > 0
          ? `[Previous conversation summary]:\n\n${words(index)}`
          : words(index),
    })),
  }),
  'one turn of thinking': (length) => ({
    format: 'anthropic-messages',
    messages: [
      { role: 'user', content: 'go' },
      ...list(length, (index) => ({
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'so', signature: `sig${index}` },
          { type: 'text', text: words(index) },
        ],
      })),
      ...talk(10),
    ],
  }),
  'one batch without ids': (length) => ({
    format: 'neurolink',
    messages: [
      named({ role: 'user', content: 'go' }, length),
      ...list(length, (index) => {
        const role = index < length / 2 ? 'tool_call' : 'tool_result'
        return named({ role, tool: 'run', args: {}, content: words(index) }, index)
      }),
      ...talk(10).map((message, index) => named(message, length + 1 + index)),
    ],
  }),
  'one id for all messages, pinned as often': (length) => ({
    format: 'neurolink',
    pins: list(length, () => 'm-0'),
    messages: talk(length).map((message, index) => named(message, index < length / 2 ? 0 : index)),
  }),
}
