/** The short form of `npm run stress:load`, on the source: see docs/resilience.md. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/lib/random.ts'
import { type ServerProcess, startServer } from '../../bench/lib/server-process.ts'
import { createTemplate, stampBody } from '../../stress/lib/bodies.ts'
import { runOpenLoop } from '../../stress/lib/open-loop.ts'
import { createCompactClient } from '../../stress/load/compact-client.ts'
import { createBodies } from '../../stress/load/mix.ts'
import { type PhaseResult, runPhase } from '../../stress/load/phase.ts'
import { startProbe } from '../../stress/load/probe-process.ts'
import { brokenPromises } from '../../stress/load/promises.ts'
import { createTally } from '../../stress/load/tally.ts'
import { TIMED } from '../helpers/timed.ts'

const START_MS = 60_000
const TIMED_TEST = { timeout: 120_000, ...TIMED }

describe('a service that is asked for more than it can do', () => {
  let service: ServerProcess
  beforeAll(async () => {
    service = await startServer(new URL('../../src/server.ts', import.meta.url).href, {
      PRECIS_HOST: '127.0.0.1',
      PRECIS_PORT: '0',
      PRECIS_MAX_CONCURRENT_REQUESTS: '2',
    })
  }, START_MS)
  afterAll(async () => {
    await service?.stop()
  })

  it(
    'answers some, tells the others when to come back, and its probes all the while',
    TIMED_TEST,
    async () => {
      const random = createRandom(3)
      const probe = await startProbe()
      const target = {
        name: 'the service',
        ...service,
        client: createCompactClient(service.url),
      }
      const bodies = createBodies(random, ['20 kB', '200 kB'])
      // Compiled code.
      for (let warm = 0; warm < 20; warm += 1) await target.client.post(bodies.next('20 kB'), false)
      const phase = await runPhase({
        target,
        probe,
        bodies,
        random,
        rate: 120,
        share: 2,
        durationMs: 4_000,
      })
      await target.client.close()
      await probe.end()
      expect(brokenPromises([phase], { shipped: target.name, isShort: true })).toEqual([])
      const small = phase.tally.of('20 kB')
      expect(small.answered).toBeGreaterThan(0)
      expect(small.shed).toBeGreaterThan(0)
      expect(small.answered + small.shed).toBe(small.sent)
      expect([...phase.tally.statuses.keys()].sort()).toEqual(['200', '503 overloaded'])
      expect(phase.health.asked).toBeGreaterThan(20)
      expect(phase.rssThirds).toHaveLength(3)
      expect(phase.cores.service).toBeGreaterThan(0)
    },
  )
})

describe('arrivals', () => {
  it('come at their rate, and wait for no answer', async () => {
    const arrivals = { rate: 200, durationMs: 1_000, drainMs: 10_000 }
    const { sent } = await runOpenLoop({
      ...arrivals,
      random: createRandom(5),
      send: async () => {},
    })
    expect(sent).toBeGreaterThan(150)
    expect(sent).toBeLessThan(250)
    // The first answer comes after the last question.
    let underWay = 0
    let answer: () => void = () => undefined
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    const again = await runOpenLoop({
      ...arrivals,
      random: createRandom(5),
      send: async () => {
        underWay += 1
        if (underWay === sent) answer()
        await answered
      },
    })
    expect(again).toMatchObject({ sent, lost: 0 })
  })

  it('count from their time, however late the generator is', async () => {
    const waits: number[] = []
    const { latestSend } = await runOpenLoop({
      rate: 100,
      durationMs: 300,
      random: createRandom(5),
      drainMs: 1_000,
      send: async (scheduledAt) => {
        const until = performance.now() + (waits.length === 0 ? 200 : 0)
        while (performance.now() < until);
        waits.push(performance.now() - scheduledAt)
      },
    })
    expect(latestSend).toBeGreaterThan(100)
    expect(Math.max(...waits.slice(1))).toBeGreaterThan(100)
  })

  it('that are never answered are lost, and hold nobody up for ever', async () => {
    const { sent, lost } = await runOpenLoop({
      rate: 50,
      durationMs: 200,
      random: createRandom(5),
      drainMs: 100,
      send: () => new Promise(() => {}),
    })
    expect(lost).toBe(sent)
    expect(sent).toBeGreaterThan(0)
  })
})

describe('bodies', () => {
  it.each(['openai-chat', 'anthropic-messages', 'neurolink', 'talk'] as const)(
    'are of their size and have texts that none before them had: %s',
    (kind) => {
      const template = createTemplate(kind, 20_000, 1)
      const [one, other] = [stampBody(template, 1), stampBody(template, 2)].map((bytes) => {
        expect(bytes.length).toBeGreaterThan(18_000)
        expect(bytes.length).toBeLessThan(26_000)
        return String(bytes)
      }) as [string, string]
      expect(Object.keys(JSON.parse(one) as object)).toContain('targetTokens')
      const textsOf = (text: string): string[] => text.match(/Note \d{8}\. [^"]*/g) ?? []
      expect(textsOf(one).length).toBeGreaterThan(10)
      expect(textsOf(one).filter((text) => textsOf(other).includes(text))).toEqual([])
    },
  )
})

describe('a promise that is broken', () => {
  const phase = (changes: Partial<PhaseResult> = {}): PhaseResult => {
    const tally = createTally()
    for (let request = 0; request < 100; request += 1) {
      tally.add('20 kB', { status: 200, hasRetryAfter: false }, 5)
    }
    return {
      target: 'as shipped',
      rate: 100,
      share: 2,
      tally,
      health: { asked: 100, failed: 0, p50: 1, p99: 20, max: 60 },
      eventLoopDelay: { p99: 12, max: 30 },
      cores: { service: 1, generator: 0.1 },
      rssThirds: [300e6, 310e6, 305e6],
      lost: 0,
      latestSend: 3,
      ...changes,
    }
  }
  const broken = (one: PhaseResult, isShort = false) =>
    brokenPromises([one], { shipped: 'as shipped', isShort })
  const tallyWith = (...added: Parameters<ReturnType<typeof createTally>['add']>[]) => {
    const { tally } = phase()
    for (const each of added) tally.add(...each)
    return tally
  }

  it('is none where all are kept', () => {
    const shed = { status: 503, code: 'overloaded', hasRetryAfter: true }
    expect(broken(phase({ tally: tallyWith(['20 kB', shed, 1]) }))).toEqual([])
  })

  it.each<[string, PhaseResult]>([
    [
      '503 without',
      phase({
        tally: tallyWith(['20 kB', { status: 503, code: 'overloaded', hasRetryAfter: false }, 1]),
      }),
    ],
    [
      '500 internal',
      phase({
        tally: tallyWith(['5 MB', { status: 500, code: 'internal', hasRetryAfter: false }, 1]),
      }),
    ],
    [
      '503 deadline-exceeded',
      phase({
        tally: tallyWith([
          '5 MB',
          { status: 503, code: 'deadline-exceeded', hasRetryAfter: true },
          1,
        ]),
      }),
    ],
    [
      'ECONNRESET',
      phase({ tally: tallyWith(['20 kB', { status: 'ECONNRESET', hasRetryAfter: false }, 1]) }),
    ],
    [
      'not compacted',
      phase({
        tally: tallyWith([
          '20 kB',
          { status: 200, hasRetryAfter: false, answer: { outcome: 'unchanged', fits: true } },
          1,
        ]),
      }),
    ],
    ['not answered', phase({ lost: 1 })],
    ['healthz took', phase({ health: { asked: 100, failed: 0, p50: 1, p99: 51, max: 60 } })],
    ['healthz failed', phase({ health: { asked: 100, failed: 1, p50: 1, p99: 20, max: 60 } })],
    ['memory grew', phase({ rssThirds: [300e6, 310e6, 600e6] })],
  ])('is named: %s', (name, one) => {
    expect(broken(one)).toEqual([expect.stringContaining(name)])
  })

  it('is one of probes within the processor time that the service had, in a run of seconds', () => {
    const slow = (milliseconds: number, service: number) =>
      broken(
        phase({
          health: { asked: 40, failed: 0, p50: 10, p99: milliseconds, max: milliseconds },
          cores: { service, generator: 0.1 },
        }),
        true,
      )
    expect(slow(1_900, 1)).toEqual([])
    expect(slow(2_100, 1)).toEqual([expect.stringContaining('healthz took')])
    expect(slow(3_900, 0.5)).toEqual([])
    expect(slow(4_100, 0.5)).toEqual([expect.stringContaining('healthz took')])
    expect(slow(20_100, 0)).toEqual([expect.stringContaining('healthz took')])
  })

  it('is one of small requests that are refused at half of the capacity', () => {
    const shed = { status: 503, code: 'overloaded', hasRetryAfter: true }
    const tally = tallyWith(['20 kB', shed, 1], ['20 kB', shed, 1], ['20 kB', shed, 1])
    expect(broken(phase({ share: 0.5, tally }))).toEqual([expect.stringContaining('refused')])
    expect(broken(phase({ share: 2, tally }))).toEqual([])
  })
})

describe('a connection that breaks', () => {
  it('is told by its code and not thrown', async () => {
    const server = createServer((request) => request.socket.destroy())
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const client = createCompactClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const { status } = await client.post(Buffer.from('{}'), false)
    expect(status).toBe('UND_ERR_SOCKET')
    await client.close()
    server.close()
  })
})
