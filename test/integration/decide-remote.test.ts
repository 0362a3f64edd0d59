import { afterEach, describe, expect, test } from 'vitest'
import {
  createRemoteDecider,
  type RemoteDecider,
  type RemoteDeciderOptions,
} from '../../src/decide/decider.ts'
import { openaiDecisionsWire } from '../../src/decide/wires/openai-decisions.ts'
import { systemOneWire } from '../../src/decide/wires/systemone.ts'
import type { DecideRequest, Question } from '../../src/engine/ports.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import {
  createOpenAiDecisionsServer,
  OPENAI_DECISIONS_KEY,
  type OpenAiDecisionsServerOptions,
} from '../helpers/decide-servers/openai-decisions-server.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
  type SystemOneServerOptions,
} from '../helpers/decide-servers/system-one-server.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { TIMED } from '../helpers/timed.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const countTokens = (text: string) => Math.ceil(Buffer.byteLength(text) / 3)

async function systemOne(
  server: SystemOneServerOptions = {},
  options: Partial<RemoteDeciderOptions> = {},
): Promise<{ server: DecideServer; decider: RemoteDecider }> {
  const started = await createSystemOneServer(server)
  const decider = createRemoteDecider({
    wire: systemOneWire,
    url: started.url,
    apiKey: SYSTEM_ONE_KEY,
    model: 'jev-latest',
    countTokens,
    random: () => 0,
    ...options,
  })
  open.push(started, decider)
  return { server: started, decider }
}

async function decisions(
  server: OpenAiDecisionsServerOptions = {},
): Promise<{ server: DecideServer; decider: RemoteDecider }> {
  const started = await createOpenAiDecisionsServer(server)
  const decider = createRemoteDecider({
    wire: openaiDecisionsWire,
    url: started.url,
    apiKey: OPENAI_DECISIONS_KEY,
    model: 'gpt-6-luna',
    countTokens,
  })
  open.push(started, decider)
  return { server: started, decider }
}

const about = (index: number): Question => ({
  id: `m${index}`,
  kind: 'boolean',
  about: `m${index}`,
  instructions: `Does the assistant still need message m${index}?`,
})
const relevance = (texts: readonly string[]): DecideRequest => ({
  site: 'relevance',
  questions: texts.map((_, index) => about(index)),
  state: {
    fields: { current_request: 'Rename that variable.' },
    recent: [{ id: 'r0', role: 'user', text: 'The variable is called count.' }],
    documents: texts.map((text, index) => ({ id: `m${index}`, role: 'user', text })),
  },
  signal: new AbortController().signal,
})
const scope: DecideRequest = {
  site: 'context-scope',
  questions: [
    {
      id: 'scope',
      kind: 'score',
      instructions: 'How much is needed?',
      levels: [
        { label: 'none' },
        { label: 'recent', description: 'the last turns' },
        { label: 'all' },
      ],
    },
    {
      id: 'kind',
      kind: 'choice',
      instructions: 'What is asked?',
      choices: [{ label: 'edit', description: 'change code' }, { label: 'ask' }],
    },
  ],
  state: { fields: { current_request: 'Rename that variable.' }, recent: [], documents: [] },
  signal: new AbortController().signal,
}
/** Longer than any preview, and different for each message. */
const long = (index: number) => `${index} ${'lorem ipsum dolor '.repeat(100)}`

describe('the remote decider', () => {
  test('says how far its answers can be trusted', async () => {
    const { decider } = await systemOne()
    expect(decider.traits).toEqual({
      wire: 'systemone',
      model: 'jev-latest',
      order: 'oldest-first',
      riskBudget: undefined,
      maxQuestions: 300,
      sites: new Set(['relevance', 'summary-gate', 'context-scope']),
    })
  })

  test('sends the recent window and the current request with the messages that are judged (W21)', async () => {
    const seen: unknown[] = []
    const { decider } = await systemOne({
      answer: (_, state) => {
        seen.push(state)
        return 0.5
      },
    })
    await decider.decide(relevance(['thanks!']))
    expect(seen).toEqual([
      {
        note: expect.any(String),
        current_request: 'Rename that variable.',
        recent_messages: { r0: { role: 'user', text: 'The variable is called count.' } },
        messages: { m0: { role: 'user', text: 'thanks!' } },
      },
    ])
  })

  test('names the model that an alias stood for', async () => {
    const { decider } = await systemOne()
    expect((await decider.decide(relevance(['a']))).model).toBe('jev-1.14.0')
  })

  test.each([
    [
      'systemone',
      () => systemOne({ answer: ({ id }) => (id === 'scope' ? [0.1, 0.8, 0.1] : 0.95) }),
    ],
    [
      'openai-decisions',
      () => decisions({ answer: ({ name }) => (name === 'scope' ? [0.1, 0.8, 0.1] : 0.95) }),
    ],
  ] as const)('reads scores and choices of %s', async (_, start) => {
    const { decider } = await start()
    const { answers, failure } = await decider.decide(scope)
    expect(failure).toBe(undefined)
    expect(answers.get('scope')).toEqual({
      kind: 'score',
      score: expect.closeTo(1),
      confidence: expect.closeTo(0.7),
    })
    expect(answers.get('kind')).toEqual({
      kind: 'choice',
      choice: 'edit',
      confidence: expect.closeTo(0.9),
    })
  })

  test('asks nothing, and sends nothing, when there is no question', async () => {
    const { server, decider } = await systemOne()
    const result = await decider.decide(relevance([]))
    expect(result).toMatchObject({ requests: 0, notAsked: 0 })
    expect(result).not.toHaveProperty('failure')
    expect(server.requests).toHaveLength(0)
  })

  test('takes a refused question for unanswered', async () => {
    const { decider } = await decisions({
      answer: ({ name }) => (name === 'm1' ? 'refusal' : 0.2),
    })
    const { answers } = await decider.decide(relevance(['a', 'b', 'c']))
    expect([...answers.keys()]).toEqual(['m0', 'm2'])
  })
})

describe('a conversation that is larger than the server’s limits', () => {
  test('is judged whole, where the peer’s batch was refused (W20)', async () => {
    const { server, decider } = await systemOne({ answer: ({ id }) => (id === 'm7' ? 0.01 : 0.99) })
    const texts = Array.from({ length: 300 }, (_, index) => long(index))
    const result = await decider.decide(relevance(texts))
    expect(result).not.toHaveProperty('failure')
    expect(result.answers.size).toBe(300)
    expect(result.answers.get('m7')).toEqual({ kind: 'boolean', probability: 0.01 })
    expect(server.requests).toHaveLength(1)
  })

  test('is asked about in few requests where the wire takes few questions', async () => {
    const { server, decider } = await decisions({
      answer: ({ name }) => Number(name?.slice(1)) / 400,
    })
    const texts = Array.from({ length: 300 }, (_, index) => long(index))
    const result = await decider.decide(relevance(texts))
    expect(result).toMatchObject({ requests: 3, notAsked: 0 })
    expect(server.requests).toHaveLength(3)
    expect([...result.answers].map(([id]) => id)).toEqual(texts.map((_, index) => `m${index}`))
    expect(result.answers.get('m299')).toEqual({ kind: 'boolean', probability: 299 / 400 })
  })

  test('leaves out the newest beyond 300 questions', async () => {
    const { decider } = await systemOne()
    const result = await decider.decide(relevance(Array.from({ length: 310 }, () => 'a')))
    expect(result.notAsked).toBe(10)
    expect(result.answers.has('m299')).toBe(true)
    expect(result.answers.has('m300')).toBe(false)
  })

  test('is asked about again at half its size when the server’s limit is lower than documented', async () => {
    const { server, decider } = await systemOne({ maxTokensLongest: 6_000, answer: () => 0.9 })
    const texts = Array.from({ length: 40 }, (_, index) => long(index))
    const result = await decider.decide(relevance(texts))
    expect(result).not.toHaveProperty('failure')
    expect(result.answers.size).toBe(40)
    expect(server.requests.length).toBeGreaterThan(1)
    const [first, second] = server.requests.map(({ text }) => text.length)
    expect(second).toBeLessThan(Number(first) * 0.6)
  })

  test('is given up after three halvings, and what was not sent is counted', async () => {
    const { server, decider } = await systemOne()
    server.setFault('max-tokens')
    const texts = Array.from({ length: 40 }, (_, index) => long(index))
    const result = await decider.decide(relevance(texts))
    expect(result).toMatchObject({ failure: 'max-tokens-exceeded', requests: 4 })
    const sizes = server.requests.map(({ text }) => text.length)
    expect(sizes.toSorted((a, b) => b - a)).toEqual(sizes)
    expect(result.notAsked).toBeGreaterThan(20)
    expect(decider.breakerState()).toBe('closed')
  })

  test('is not sent again where it cannot be made smaller', async () => {
    const { server, decider } = await systemOne()
    server.setFault('max-tokens')
    expect(await decider.decide(relevance(['a']))).toMatchObject({
      failure: 'max-tokens-exceeded',
      requests: 1,
      notAsked: 1,
    })
  })

  test('is not sent when its current request alone is too large', async () => {
    const { server, decider } = await systemOne(
      {},
      { limits: { maxStateAndLongestQuestionTokens: 300, maxTotalTokens: 300 } },
    )
    expect(await decider.decide(relevance(['a', 'b']))).toMatchObject({
      failure: 'max-tokens-exceeded',
      requests: 0,
      notAsked: 2,
    })
    expect(server.requests).toHaveLength(0)
  })
})

describe('a call of several requests', () => {
  const options = { limits: { maxQuestionsPerRequest: 2 } }
  const six = ['a', 'b', 'c', 'd', 'e', 'f']

  test('keeps the answers that came when one request fails', async () => {
    const { server, decider } = await systemOne({}, { ...options, parallelRequests: 1 })
    server.faultNext(undefined, { status: 422 }, undefined)
    const result = await decider.decide(relevance(six))
    expect(result.failure).toBe('invalid-request')
    expect([...result.answers.keys()]).toEqual(['m0', 'm1', 'm4', 'm5'])
  })

  test('does not send the rest to a server that is down', async () => {
    const { server, decider } = await systemOne({}, { ...options, parallelRequests: 1 })
    server.faultNext(undefined, { status: 500 }, { status: 500 })
    const result = await decider.decide(relevance(six))
    expect(result).toMatchObject({ failure: 'server', requests: 3 })
    expect([...result.answers.keys()]).toEqual(['m0', 'm1'])
    expect(server.requests).toHaveLength(3)
  })

  test('sends at most two at a time', async () => {
    const { server, decider } = await systemOne({}, { ...options, timeoutMs: 60_000 })
    server.setFault('hang')
    const deciding = decider.decide(relevance(six))
    await eventually(() => server.requests.length === 2)
    await new Promise((resolve) => setTimeout(resolve, 100))
    expect(server.requests).toHaveLength(2)
    await decider.close()
    expect(await deciding).toMatchObject({ failure: 'aborted', requests: 2 })
  })

  test('ends by its own deadline, with what came before it', TIMED, async () => {
    const { server, decider } = await systemOne(
      {},
      { ...options, parallelRequests: 1, timeoutMs: 60_000, deadlineMs: 1_000 },
    )
    server.faultNext(undefined, 'hang')
    const result = await decider.decide(relevance(six))
    expect(result.failure).toBe('deadline')
    expect(result.latencyMs).toBeLessThan(3_000)
    expect([...result.answers.keys()]).toEqual(['m0', 'm1'])
  })

  test('gives the same result every time (P10)', async () => {
    const { decider } = await systemOne({ answer: ({ id }) => Number(id.slice(1)) / 10 }, options)
    const first = await decider.decide(relevance(six))
    const second = await decider.decide(relevance(six))
    expect([...second.answers]).toEqual([...first.answers])
    expect(second).toMatchObject({ requests: first.requests, notAsked: first.notAsked })
  })
})

describe('a bug on this side', () => {
  test('in the counter costs the answers and is not thrown', async () => {
    const { decider } = await systemOne(
      {},
      {
        countTokens: () => {
          throw new Error('the text was: secret')
        },
      },
    )
    const result = await decider.decide(relevance(['a']))
    expect(result).toMatchObject({ failure: 'error', requests: 0 })
    expect(JSON.stringify(result)).not.toContain('secret')
  })

  test('in the wire costs the answers of one request and is not thrown', async () => {
    const wire = {
      ...systemOneWire,
      decode: () => {
        throw new Error('the text was: secret')
      },
    }
    const { decider } = await systemOne({}, { wire })
    expect(await decider.decide(relevance(['a']))).toMatchObject({ failure: 'error', requests: 1 })
  })
})
