/**
 * Twenty minutes at 70% of capacity with everything going wrong around the service: does anything grow?
 *
 *     npm run stress:soak [-- --short] [-- --minutes=20]
 *
 * A decision model, a summariser and a provider that hang, break off, fail and talk nonsense in turns;
 * callers who leave in the middle of compactions and of streams. Every half minute the callers hang up, and
 * what is left of the service at rest is looked at.
 */
import { buildService, builtModule } from '../bench/lib/built-service.ts'
import { createRandom } from '../bench/lib/random.ts'
import { isShort, printEnvironment } from '../bench/lib/report.ts'
import { startServer } from '../bench/lib/server-process.ts'
import { runOpenLoop } from './lib/open-loop.ts'
import { capacityOf, measureCapacity } from './load/capacity.ts'
import { createBodies } from './load/mix.ts'
import { findGrowth } from './soak/flatness.ts'
import { printSoak } from './soak/print-soak.ts'
import { type RestSample, sampleAtRest } from './soak/sample.ts'
import { startFaultyServers } from './soak/start-faulty-servers.ts'
import { createSoakTally } from './soak/tally.ts'
import { createTraffic } from './soak/traffic.ts'

const asked = process.argv.flatMap((argument) => /^--minutes=([\d.]+)$/.exec(argument)?.[1] ?? [])
const soakMs = Number(asked[0] ?? (isShort ? 1 / 3 : 20)) * 60_000
const roundMs = isShort ? 4_000 : 30_000
const levelMs = isShort ? 1_000 : 10_000
const SHARE = 0.7
const LEAST_ROUNDS = 3
const DRAIN_MS = 35_000

/** Full within the first minute, so that what grows later is no cache that is allowed to. */
const SMALL_CACHES = {
  PRECIS_TOKEN_CACHE_BYTES: '4000000',
  PRECIS_STEP_MEMO_BYTES: '4000000',
}

buildService()
printEnvironment()
const random = createRandom(1_970)
const servers = await startFaultyServers()
const service = await startServer(
  builtModule('server.ts'),
  { PRECIS_HOST: '127.0.0.1', PRECIS_PORT: '0', ...SMALL_CACHES, ...servers.environment },
  {
    nodeOptions: [
      '--expose-gc',
      '--import',
      new URL('soak/report-state.mjs', import.meta.url).href,
    ],
  },
)
const tally = createSoakTally()
const bodies = createBodies(random)
const traffic = createTraffic({ url: service.url, bodies, random, tally })

const capacity = capacityOf(await measureCapacity(traffic.send, levelMs))
const rate = capacity * SHARE
await servers.tell('faults')
const samples: RestSample[] = []
let sent = 0
let lost = 0
// Compiled code, full caches, and the first faults before the first look.
await load(roundMs * 2)
const startedAt = performance.now()
await rest()
for (let round = 0; round < Math.max(LEAST_ROUNDS, soakMs / roundMs); round += 1) {
  await load(roundMs)
  await rest()
}

printSoak(samples, tally, { capacity, rate })
const broken = [...findGrowth(samples)]
for (const [fault, count] of tally.faults) broken.push(`${fault} (${count} times)`)
if (lost > 0) broken.push(`${lost} requests were not answered`)
for (const promise of broken) console.log(`\nBROKEN: ${promise}`)
await traffic.hangUp()
await service.stop()
await servers.end()
process.exit(broken.length === 0 ? 0 : 1)

async function load(durationMs: number): Promise<void> {
  const send = async () => {
    await traffic.send()
  }
  const result = await runOpenLoop({ rate, durationMs, random, send, drainMs: DRAIN_MS })
  sent += result.sent
  lost += result.lost
}

async function rest(): Promise<void> {
  await traffic.hangUp()
  await servers.tell('hang-up')
  samples.push(await sampleAtRest(service, startedAt, sent))
}
