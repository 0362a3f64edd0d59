/** What is large: it is answered in time, or refused for its size, and the service stays well. */
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { expectProblem } from '../helpers/expect-problem.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { type CompactAnswer, expectFitting } from '../helpers/service-answers.ts'
import { startService } from '../helpers/start-service.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'
import { TIMED } from '../helpers/timed.ts'
import { newFaults } from '../helpers/wire-rules/index.ts'

const MEBIBYTE = 1024 * 1024
/** The default of PRECIS_BODY_LIMIT_BYTES. */
const BODY_LIMIT = 32 * MEBIBYTE
/** Far beyond what any of these takes; a quadratic counter would need hours. */
const DEADLINE_MS = 60_000
const TEST_MS = 90_000

let service: ServiceProcess
beforeAll(async () => {
  service = await startServiceProcess({
    environment: { PRECIS_REQUEST_DEADLINE_MS: String(DEADLINE_MS) },
  })
}, START_PROCESS_MS)
afterAll(() => service?.close())

/** Prose of so many characters, with words and numbers that do not repeat. */
function prose(characters: number): string {
  const words: string[] = []
  for (let length = 0, word = 0; length < characters; word += 1) {
    const next = `word${(word * 7_919) % 100_003}`
    words.push(next)
    length += next.length + 1
  }
  return words.join(' ').slice(0, characters)
}

const TAIL = Array.from({ length: 6 }, (_, index) => ({
  role: index % 2 === 0 ? 'assistant' : 'user',
  content: `Recent message ${index}.`,
}))

function withCall(result: string) {
  const call = { id: 'big', type: 'function', function: { name: 'read', arguments: '{}' } }
  return [
    { role: 'user', content: 'The task.' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: 'big', content: result },
  ]
}

async function compact(messages: readonly unknown[], targetTokens: number) {
  const body = { format: 'openai-chat', messages, targetTokens }
  const answer = await service.ask<CompactAnswer>('/compact', body)
  expect(answer.milliseconds).toBeLessThan(DEADLINE_MS)
  const after = { messages: answer.messages }
  expect(newFaults('openai-chat', { messages }, after)).toEqual([])
  return answer
}

describe('a body', () => {
  /** A conversation of exactly so many bytes. */
  function bodyOf(bytes: number): string {
    const message = (content: string) => JSON.stringify({ role: 'assistant', content })
    const first = JSON.stringify({ role: 'user', content: 'The task.' })
    const tail = TAIL.map((each) => JSON.stringify(each)).join(',')
    const wrap = (texts: readonly string[]) =>
      `{"format":"openai-chat","messages":[${first},${texts.join(',')},${tail}],"targetTokens":100000}`
    const filler = Array.from({ length: 31 }, () => message(prose(MEBIBYTE)))
    const rest = bytes - wrap([...filler, message('')]).length
    return wrap([...filler, message(prose(rest))])
  }

  it('of exactly the limit is compacted', { timeout: TEST_MS }, async () => {
    const body = bodyOf(BODY_LIMIT)
    expect(Buffer.byteLength(body)).toBe(BODY_LIMIT)
    const answer = await service.send('/compact', { method: 'POST', body })
    expect(answer.statusCode, answer.body.slice(0, 500)).toBe(200)
    const { tokensBefore, fits, outcome } = JSON.parse(answer.body) as CompactAnswer
    expect({ fits, outcome }).toEqual({ fits: true, outcome: 'compacted' })
    expect(tokensBefore).toBeGreaterThan(5_000_000)
  })

  it('one byte larger is refused by its length alone, before it has been sent', async () => {
    const { hostname, port } = new URL(service.url)
    const headers = { 'content-type': 'application/json', 'content-length': BODY_LIMIT + 1 }
    const outgoing = httpRequest({ hostname, port, method: 'POST', path: '/compact', headers })
    // A client that goes on sending may see its connection end before it reads why.
    outgoing.write(' ')
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    let body = ''
    for await (const chunk of incoming) body += String(chunk)
    const { statusCode = 0, headers: answered } = incoming
    expectProblem({ statusCode, headers: answered, body }, 'payload-too-large')
    outgoing.destroy()
  })

  it('that is larger and does not say so is refused', async () => {
    const { hostname, port } = new URL(service.url)
    const headers = { 'content-type': 'application/json' }
    const outgoing = httpRequest({ hostname, port, method: 'POST', path: '/compact', headers })
    const status = new Promise<number | undefined>((resolve, reject) => {
      outgoing.on('response', ({ statusCode }) => resolve(statusCode))
      outgoing.on('error', reject)
    })
    for (let sent = 0; sent <= BODY_LIMIT; sent += MEBIBYTE) outgoing.write(' '.repeat(MEBIBYTE))
    expect(await status).toBe(413)
    outgoing.destroy()
  })
})

describe('a message of 5 MB', { timeout: TEST_MS }, () => {
  const text = prose(5_000_000)

  it('that is the request is kept, and the answer says that it does not fit', async () => {
    const messages = [...TAIL, { role: 'user', content: text }]
    const answer = await compact(messages, 10_000)
    expect(answer).toMatchObject({ outcome: 'unchanged', fits: false, stagesUsed: [] })
    expect(answer.budget.floor.pins['current-request']).toBeGreaterThan(1_000_000)
    expect(answer.warnings).toMatchObject([{ code: 'budget-unreachable' }])
    expect(answer.messages).toEqual(messages)
  })

  it.each([
    ['in the old part', (large: object[]) => [...large, ...TAIL], 'dropped'],
    [
      'in the protected tail',
      (large: object[]) => [...TAIL, ...large, ...TAIL.slice(-2)],
      'rewritten',
    ],
  ] as const)('that is a tool result %s goes, or is shortened', async (_, place, action) => {
    const answer = await compact(place(withCall(text)), 10_000)
    expect(answer).toMatchObject({ outcome: 'compacted', fits: true })
    expect(answer.actions).toContainEqual(expect.objectContaining({ stage: 'truncate', action }))
  })

  it.each([
    ['one letter', 'a'.repeat(5_000_000)],
    ['one Chinese character', '\u8a9e'.repeat(1_600_000)],
    ['blanks', ' '.repeat(5_000_000)],
    ['quotes', '"'.repeat(5_000_000)],
    ['words of the tokeniser', '<|endoftext|>'.repeat(380_000)],
  ])('of nothing but %s takes no longer than any other', TIMED, async (_, large) => {
    const startedAt = performance.now()
    const answer = await compact([...withCall(large), ...TAIL], 10_000)
    expect(answer).toMatchObject({ fits: true })
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })
})

describe('a conversation of 100,000 messages', () => {
  const messages = [
    ...Array.from({ length: 99_994 }, (_, index) => ({
      role: index % 2 === 0 ? 'user' : 'assistant',
      content: `Message ${index} of a very long conversation.`,
    })),
    ...TAIL,
  ]

  it('is compacted', { timeout: TEST_MS }, async () => {
    const answer = await compact(messages, 500_000)
    expect(answer).toMatchObject({ outcome: 'compacted', fits: true })
    expect(answer.messages.length).toBeGreaterThan(10_000)
    expect(answer.messages.at(-1)).toEqual(TAIL.at(-1))
  })

  it('of which none may go comes back whole', { timeout: TEST_MS }, async () => {
    const answer = await compact(messages, 100_000_000)
    expect(answer).toMatchObject({ outcome: 'unchanged', fits: true, actions: [] })
    expect(answer.messages).toEqual(messages)
  })

  it('is refused where the limit is lower', async () => {
    const strict = await startService({ PRECIS_MAX_MESSAGES: '99999' })
    const body = { format: 'openai-chat', messages, targetTokens: 500_000 }
    const answer = await strict.send('/compact', { method: 'POST', body })
    expect(expectProblem(answer, 'too-many-messages').errors).toMatchObject([
      { pointer: '/messages', rule: 'max-items' },
    ])
    await strict.close()
  })
})

test('after all of this the service is well and works', async () => {
  expect(service.hasEnded()).toBe(false)
  expect((await service.send('/healthz')).statusCode).toBe(200)
  const { request } = sampleConversation('anthropic-messages')
  expectFitting(
    request,
    await service.ask<CompactAnswer>('/compact', { ...request, targetTokens: 2_000 }),
  )
})
