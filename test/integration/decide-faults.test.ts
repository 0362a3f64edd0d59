/** Whatever a decision server does, a call ends in time with a result that says what happened. */
import { afterEach, describe, expect, test } from 'vitest'
import { createRemoteDecider, type RemoteDecider } from '../../src/decide/decider.ts'
import { openaiDecisionsWire } from '../../src/decide/wires/openai-decisions.ts'
import { systemOneWire } from '../../src/decide/wires/systemone.ts'
import type { DecideFailure, DecideRequest } from '../../src/engine/ports.ts'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import type { Fault } from '../helpers/decide-servers/fault.ts'
import { FAULT_CASES, waitsFor } from '../helpers/decide-servers/fault-cases.ts'
import {
  createOpenAiDecisionsServer,
  OPENAI_DECISIONS_KEY,
} from '../helpers/decide-servers/openai-decisions-server.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
} from '../helpers/decide-servers/system-one-server.ts'
import { TIMED } from '../helpers/timed.ts'

const open: { close: () => Promise<void> }[] = []
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

const WIRES = {
  systemone: {
    wire: systemOneWire,
    model: 'jev-1.13.0',
    apiKey: SYSTEM_ONE_KEY,
    start: () => createSystemOneServer({ answer: ({ id }) => (id === 'm0' ? 0.1 : 0.9) }),
  },
  'openai-decisions': {
    wire: openaiDecisionsWire,
    model: 'gpt-6-luna',
    apiKey: OPENAI_DECISIONS_KEY,
    start: () => createOpenAiDecisionsServer({ answer: ({ name }) => (name === 'm0' ? 0.1 : 0.9) }),
  },
}

/** Two attempts that time out, and the backoff between them. */
const LONGEST_MS = 2 * waitsFor('hang').timeoutMs + 250

async function setUp(
  name: keyof typeof WIRES,
  waits: Partial<ReturnType<typeof waitsFor>> = {},
): Promise<{ server: DecideServer; decider: RemoteDecider }> {
  const { start, ...options } = WIRES[name]
  const server = await start()
  const decider = createRemoteDecider({
    ...options,
    url: server.url,
    countTokens: (text) => Math.ceil(Buffer.byteLength(text) / 3),
    random: () => 0,
    ...waits,
  })
  open.push(server, decider)
  return { server, decider }
}

const SECRET = 'the launch code is 0451'
const request = (signal = new AbortController().signal): DecideRequest => ({
  site: 'relevance',
  questions: ['m0', 'm1'].map((id) => ({
    id,
    kind: 'boolean',
    about: id,
    instructions: `Is message ${id} needed?`,
  })),
  state: {
    fields: { current_request: 'Rename that variable.' },
    recent: [],
    documents: [
      { id: 'm0', role: 'user', text: SECRET },
      { id: 'm1', role: 'user', text: 'The variable is called count.' },
    ],
  },
  signal,
})

/** What all wires are tested with, and the two statuses that are asked again like 500 and 529. */
const FAULTS: readonly [string, Fault, DecideFailure][] = [
  ...FAULT_CASES.map(([what, fault, failure]): [string, Fault, DecideFailure] => [
    what,
    fault,
    failure,
  ]),
  ['answers 429', { status: 429 }, 'rate-limit'],
  ['answers 503', { status: 503 }, 'overloaded'],
]

describe.each(['systemone', 'openai-decisions'] as const)('with %s', (name) => {
  test('a server that is well answers every question', async () => {
    const { decider } = await setUp(name)
    const result = await decider.decide(request())
    expect(result).toMatchObject({ wire: name, model: WIRES[name].model, requests: 1, notAsked: 0 })
    expect(result).not.toHaveProperty('failure')
    expect([...result.answers]).toEqual([
      ['m0', { kind: 'boolean', probability: 0.1 }],
      ['m1', { kind: 'boolean', probability: 0.9 }],
    ])
  })

  test.each(FAULTS)(
    'a server that %s costs the answers and nothing else',
    TIMED,
    async (_, fault, failure) => {
      const { server, decider } = await setUp(name, waitsFor(fault))
      server.setFault(fault)
      const started = performance.now()
      const result = await decider.decide(request())
      expect(performance.now() - started).toBeLessThan(LONGEST_MS + 500)
      expect(result).toMatchObject({ failure, wire: name, notAsked: expect.any(Number) })
      expect(result.answers.size).toBe(0)
      expect(result.requests).toBeGreaterThan(0)
      expect(JSON.stringify(result)).not.toContain(SECRET)
    },
  )

  test.each(['null', 'string', 'above-one', 'below-zero', 'missing-ids', 'wrong-types'] as const)(
    'one answer of %s leaves that question unanswered and the other answered (W22)',
    async (fault) => {
      const { server, decider } = await setUp(name)
      server.setFault(fault)
      const result = await decider.decide(request())
      expect(result).not.toHaveProperty('failure')
      expect([...result.answers]).toEqual([['m1', { kind: 'boolean', probability: 0.9 }]])
    },
  )

  test('a server that is not there costs the answers and nothing else', async () => {
    const { server, decider } = await setUp(name)
    await server.close()
    expect(await decider.decide(request())).toMatchObject({ failure: 'network', requests: 2 })
  })

  test('a wrong key is said once, and then the server is left alone', async () => {
    const { server, decider } = await setUp(name)
    const stranger = createRemoteDecider({
      ...WIRES[name],
      apiKey: 'another-key',
      url: server.url,
      countTokens: (text) => text.length,
    })
    open.push(stranger)
    expect(await stranger.decide(request())).toMatchObject({ failure: 'authentication' })
    expect(await stranger.decide(request())).toMatchObject({ failure: 'breaker-open', requests: 0 })
    expect(stranger.breakerState()).toBe('open')
    expect(decider.breakerState()).toBe('closed')
    expect(server.requests).toHaveLength(1)
  })

  test('a request whose time runs out ends as a deadline, one whose caller leaves as aborted', async () => {
    const { server, decider } = await setUp(name)
    server.setFault('hang')
    expect(await decider.decide(request(AbortSignal.timeout(60)))).toMatchObject({
      failure: 'deadline',
      requests: 1,
    })
    const caller = new AbortController()
    setTimeout(() => caller.abort(), 60)
    expect(await decider.decide(request(caller.signal))).toMatchObject({
      failure: 'aborted',
      requests: 1,
    })
    expect(await decider.decide(request(AbortSignal.abort()))).toMatchObject({
      failure: 'aborted',
      requests: 0,
    })
  })
})
