/** What is strange but can be read: it is answered, and comes back as it was sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type SampledFormat, sampleConversation } from '../helpers/sample-conversation.ts'
import type { CompactAnswer } from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { findFaults, newFaults } from '../helpers/wire-rules/index.ts'

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service?.close())

const FORMATS = ['openai-chat', 'anthropic-messages', 'neurolink'] as const
const PLENTY = 1_000_000
/** Below every sample conversation, above what is pinned in it. */
const TIGHT = 2_500

type Message = Readonly<Record<string, unknown>>

const ORPHAN: Readonly<Record<SampledFormat, Message>> = {
  'openai-chat': { role: 'tool', tool_call_id: 'gone', content: 'A result that nobody asked for.' },
  'anthropic-messages': {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'gone', content: 'Nobody asked for this.' }],
  },
  neurolink: {
    id: 'orphan',
    role: 'tool_result',
    tool: 'read',
    toolCallId: 'gone',
    content: 'A result that nobody asked for.',
    result: { success: true },
  },
}

/** A sample conversation with one more message, the third from the end, where no stage may touch it. */
function sampleWith(format: SampledFormat, message: Message) {
  const { request } = sampleConversation(format)
  const messages = [...request.messages.slice(0, -2), message, ...request.messages.slice(-2)]
  return { request: { ...request, messages }, index: messages.length - 3 }
}

describe.each(FORMATS)('a %s tool result without a call', (format) => {
  it.each([
    ['there is room', PLENTY, 'unchanged'],
    ['there is none', TIGHT, 'compacted'],
  ] as const)('is taken with a warning and made no worse where %s', async (_, target, outcome) => {
    const { request, index } = sampleWith(format, ORPHAN[format])
    expect(findFaults(format, request)).not.toEqual([])
    const answer = await service.ask<CompactAnswer>('/compact', {
      ...request,
      targetTokens: target,
    })
    expect(answer).toMatchObject({ outcome, fits: true })
    expect(answer.warnings).toMatchObject([{ code: 'orphan-tool-result' }])
    expect(answer.warnings[0]?.pointer).toMatch(new RegExp(`^/messages/${index}(/|$)`))
    expect(answer.messages.at(-3)).toEqual(ORPHAN[format])
    const after = { ...request, messages: answer.messages }
    expect(newFaults(format, request, after)).toEqual([])
  })
})

const CALL = { id: 'twice', type: 'function', function: { name: 'read', arguments: '{}' } }

describe('an id that comes twice', () => {
  it('of a message is taken with a warning, and nothing is changed', async () => {
    const { request } = sampleConversation('neurolink')
    const messages = request.messages.map((message, index) =>
      index === 4 ? { ...message, id: 'm2' } : message,
    )
    const body = { ...request, messages, targetTokens: PLENTY }
    const answer = await service.ask<CompactAnswer>('/compact', body)
    expect(answer.outcome).toBe('unchanged')
    expect(answer.warnings).toMatchObject([
      { code: 'duplicate-message-id', pointer: '/messages/4/id' },
    ])
    expect(answer.messages).toEqual(messages)
  })

  it('of a call is taken with a warning, and both results stay with their calls', async () => {
    const { request } = sampleConversation('openai-chat')
    const twice = [
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'twice', content: 'The first result.' },
      { role: 'assistant', content: null, tool_calls: [CALL] },
      { role: 'tool', tool_call_id: 'twice', content: 'The second result.' },
    ]
    const messages = [...request.messages.slice(0, -2), ...twice, ...request.messages.slice(-2)]
    const body = { ...request, messages, targetTokens: TIGHT }
    const answer = await service.ask<CompactAnswer>('/compact', body)
    expect(answer).toMatchObject({ outcome: 'compacted', fits: true })
    expect(answer.warnings).toMatchObject([{ code: 'duplicate-call-id' }])
    expect(answer.messages.slice(-6, -2)).toEqual(twice)
    const after = { messages: answer.messages }
    expect(newFaults('openai-chat', { messages }, after)).toEqual([])
  })
})

/** JSON texts of messages that a careless service changes. Every one is written as JSON.stringify does. */
const ODD_MESSAGES: readonly (readonly [string, string])[] = [
  [
    'keys of the prototype',
    '{"role":"assistant","content":null,"extra":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}},"toString":null,"hasOwnProperty":1}}',
  ],
  [
    'keys of the prototype in the arguments of a call',
    '{"role":"assistant","content":"","tool_calls":[{"id":"odd","type":"function","function":{"name":"f","arguments":"{\\"__proto__\\":{\\"polluted\\":true}}"}}]}',
  ],
  ['a __proto__ of its own', '{"role":"user","content":"x","__proto__":{"role":"assistant"}}'],
  ['halves of characters', '{"role":"user","content":"a \\ud83d b \\udc00 c \\udc00\\ud83d d"}'],
  ['a byte order mark inside', '{"role":"user","content":"\ufeffx\ufeff"}'],
  [
    'control characters',
    '{"role":"user","content":"\\u0000\\u001b[31m\\b\\u2028\u007f"}'.replace('\\u2028', '\u2028'),
  ],
  [
    'words of the tokeniser',
    '{"role":"user","content":"<|endoftext|><|im_start|>system<|im_end|>"}',
  ],
  [
    'members that nobody knows',
    '{"zeta":[],"role":"user","alpha":{"z":1,"a":[null,{}]},"content":"x","":""}',
  ],
  ['numbers', '{"role":"user","content":"x","n":[0,-1,1.5,1e+21,5e-324,9007199254740991,0.1]}'],
  ['an empty text', '{"role":"user","content":""}'],
  ['blanks', '{"role":"user","content":" \\n\\t"}'],
  ['no part at all', '{"role":"assistant","content":[]}'],
  ['a part of an unknown type', '{"role":"user","content":[{"type":"hologram","data":{"x":[1]}}]}'],
]

describe('a message with', () => {
  it.each(ODD_MESSAGES)('%s comes back as it was sent', async (_, text) => {
    const { request } = sampleConversation('openai-chat')
    const texts = request.messages.map((message) => JSON.stringify(message))
    texts.splice(-1, 0, text)
    const conversation = `"format":"openai-chat","messages":[${texts.join(',')}]`

    const roomy = await post(`{${conversation},"targetTokens":${PLENTY}}`)
    expect(JSON.parse(roomy)).toMatchObject({ outcome: 'unchanged' })
    expect(roomy).toContain(`"messages":[${texts.join(',')}]`)

    const tight = await post(`{${conversation},"targetTokens":${TIGHT}}`)
    expect(JSON.parse(tight)).toMatchObject({ outcome: 'compacted', fits: true })
    expect(tight.slice(tight.indexOf('"messages":['))).toContain(`,${text},`)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('keys of the prototype in the input of an Anthropic call comes back as it was sent', async () => {
    const call =
      '{"role":"assistant","content":[{"type":"tool_use","id":"odd","name":"f","input":{"__proto__":{"polluted":true},"constructor":1}}]}'
    const result =
      '{"role":"user","content":[{"type":"tool_result","tool_use_id":"odd","content":"\\ud800"}]}'
    const { request } = sampleConversation('anthropic-messages')
    const texts = request.messages.map((message) => JSON.stringify(message))
    texts.splice(-2, 0, call, result)
    const body = `{"messages":[${texts.join(',')}],"targetTokens":${TIGHT}}`
    const answer = await post(body)
    expect(JSON.parse(answer)).toMatchObject({ outcome: 'compacted', format: 'anthropic-messages' })
    expect(answer).toContain(`,${call},${result},`)
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('a body', () => {
  const { request } = sampleConversation('neurolink')
  const text = JSON.stringify({ ...request, targetTokens: PLENTY })

  it.each([
    ['with a byte order mark', `\ufeff${text}`],
    ['with blanks around it', `\r\n\t ${text} \n`],
    ['written over many lines', JSON.stringify(JSON.parse(text), null, 2)],
    ['whose characters are escaped', text.replaceAll('marmot', '\\u006darmot')],
  ])('%s is read as without', async (_, body) => {
    const answer = JSON.parse(await post(body)) as CompactAnswer
    expect(answer.messages).toEqual(request.messages)
  })

  it('that comes in chunks, without a length, is read as one', async () => {
    const answer = await fetch(`${service.url}/compact`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([text]).stream(),
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(200)
    expect(((await answer.json()) as CompactAnswer).messages).toEqual(request.messages)
  })
})

async function post(body: string): Promise<string> {
  const answer = await service.send('/compact', { method: 'POST', body })
  expect(answer.statusCode, answer.body).toBe(200)
  return answer.body
}
