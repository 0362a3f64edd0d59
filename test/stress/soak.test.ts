/** The short form of `npm run stress:soak`, on the source: see docs/resilience.md. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../bench/lib/random.ts'
import { type ServerProcess, startServer } from '../../bench/lib/server-process.ts'
import { createTemplate, stampBody } from '../../stress/lib/bodies.ts'
import { runOpenLoop } from '../../stress/lib/open-loop.ts'
import { createBodies } from '../../stress/load/mix.ts'
import { findGrowth, heapSlope } from '../../stress/soak/flatness.ts'
import { type RestSample, sampleAtRest } from '../../stress/soak/sample.ts'
import { type FaultyServers, startFaultyServers } from '../../stress/soak/start-faulty-servers.ts'
import { createSoakTally } from '../../stress/soak/tally.ts'
import { createTraffic } from '../../stress/soak/traffic.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'

const MEBIBYTE = 1024 * 1024
/** Above the default of PRECIS_WORKER_MIN_BYTES. */
const LARGE_BYTES = 600_000
const START_MS = 60_000
const TEST_MS = 120_000

describe('a service whose models and callers fail', () => {
  let servers: FaultyServers
  let service: ServerProcess
  beforeAll(async () => {
    servers = await startFaultyServers()
    service = await startServer(
      new URL('../../src/server.ts', import.meta.url).href,
      {
        PRECIS_HOST: '127.0.0.1',
        PRECIS_PORT: '0',
        PRECIS_TOKEN_CACHE_BYTES: '4000000',
        PRECIS_STEP_MEMO_BYTES: '4000000',
        ...servers.environment,
      },
      {
        nodeOptions: [
          '--expose-gc',
          '--import',
          new URL('../../stress/soak/report-state.mjs', import.meta.url).href,
        ],
      },
    )
    // A thread is large, and takes long to load where it compiles the source: it is there before the first look.
    const large = stampBody(createTemplate('openai-chat', LARGE_BYTES, 1), 0)
    const isCompacted = () =>
      service.post('/compact', [large]).then(
        () => true,
        () => false,
      )
    await eventually(isCompacted, START_MS)
  }, 2 * START_MS)
  afterAll(async () => {
    await service?.stop()
    await servers?.end()
  })

  it(
    'answers all that it takes, validly, and is as small as before once they are gone',
    async () => {
      const random = createRandom(11)
      const tally = createSoakTally()
      const bodies = createBodies(random, ['20 kB', '200 kB'])
      const traffic = createTraffic({ url: service.url, bodies, random, tally })
      const samples: RestSample[] = []
      await servers.tell('faults')
      const startedAt = performance.now()
      for (let round = 0; round < 4; round += 1) {
        const { lost } = await runOpenLoop({
          rate: 15,
          durationMs: 3_000,
          random,
          send: async () => {
            await traffic.send()
          },
          drainMs: 30_000,
        })
        expect(lost).toBe(0)
        await traffic.hangUp()
        await servers.tell('hang-up')
        // The first round compiles.
        if (round > 0) samples.push(await sampleAtRest(service, startedAt, tally.total()))
      }
      expect(Object.fromEntries(tally.faults)).toEqual({})
      expect(tally.outcomes.get('/compact')?.get('200')).toBeGreaterThan(50)
      expect(tally.outcomes.get('/check')?.get('200')).toBeGreaterThan(0)
      expect(tally.outcomes.get('proxied')?.size).toBeGreaterThan(0)
      expect(findGrowth(samples)).toEqual([])
    },
    TEST_MS,
  )
})

/** A look each half minute at a service of which nothing grows but what `grow` makes grow. */
function looks(count: number, grow: (minutes: number) => Partial<RestSample> = () => ({})) {
  return Array.from({ length: count }, (_, index): RestSample => {
    const minutes = index / 2
    return {
      minutes,
      requests: index * 3_000,
      heapBytes: 60 * MEBIBYTE + (index % 3) * 100_000,
      rssBytes: 300 * MEBIBYTE + (index % 5) * MEBIBYTE,
      externalBytes: 20 * MEBIBYTE,
      descriptors: 30 + (index % 2),
      sockets: 8 + (index % 2),
      threads: 12,
      timers: 1,
      resources: 6,
      ...grow(minutes),
    }
  })
}

describe('what is found to grow', () => {
  it('is nothing where all goes up and down', () => {
    expect(findGrowth(looks(41))).toEqual([])
  })

  it.each<[string, (minutes: number) => Partial<RestSample>]>([
    ['the heap', (minutes) => ({ heapBytes: (60 + minutes * 0.6) * MEBIBYTE })],
    ['resident memory', (minutes) => ({ rssBytes: (300 + minutes * 10) * MEBIBYTE })],
    ['sockets', (minutes) => ({ sockets: 8 + minutes })],
    ['threads', (minutes) => ({ threads: 12 + minutes })],
    ['timers', (minutes) => ({ timers: 1 + minutes })],
  ])('is %s where it does', (name, grow) => {
    const [found, ...others] = findGrowth(looks(41, grow))
    expect(found).toMatch(new RegExp(`^${name} gr`))
    expect(others).toEqual([])
  })

  it('is the heap within a minute where each request leaves its texts behind', () => {
    const grown = looks(3, (minutes) => ({ heapBytes: (60 + minutes * 30) * MEBIBYTE }))
    expect(findGrowth(grown)).toEqual(['the heap grew by 30.0 MiB'])
  })

  it('has a slope in bytes an hour', () => {
    const grown = looks(41, (minutes) => ({ heapBytes: 1_000 + minutes * 100 }))
    expect(heapSlope(grown)).toBeCloseTo(6_000, 6)
  })

  it('is unknown without looks', () => {
    expect(findGrowth([])).toHaveLength(1)
  })
})
