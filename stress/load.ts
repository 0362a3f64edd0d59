/**
 * The service, as shipped, under a mix of sizes at half, all and twice of what it can do, beside the same
 * without threads for large requests.
 *
 *     npm run stress:load [-- --short] [-- --seconds=120]
 *
 * Latencies count from the time that a request was to be sent (an open loop): one that waits because the
 * service is full is not left out. Both services, the generator and the prober of /healthz share this machine.
 */
import { buildService, builtModule } from '../bench/lib/built-service.ts'
import { createRandom } from '../bench/lib/random.ts'
import { isShort, printEnvironment, printTable } from '../bench/lib/report.ts'
import { type ServerProcess, startServer } from '../bench/lib/server-process.ts'
import { capacityOf, measureCapacity } from './load/capacity.ts'
import { createCompactClient } from './load/compact-client.ts'
import { measureCost, printCost } from './load/cost.ts'
import { createBodies } from './load/mix.ts'
import { type PhaseResult, runPhase, type Target } from './load/phase.ts'
import { printPhases } from './load/print-phases.ts'
import { startProbe } from './load/probe-process.ts'
import { brokenPromises } from './load/promises.ts'

const SHARES = [0.5, 1, 2]
const asked = process.argv.flatMap((argument) => /^--seconds=(\d+)$/.exec(argument)?.[1] ?? [])
const seconds = Number(asked[0] ?? (isShort ? 5 : 120))
const levelMs = isShort ? 2_000 : 15_000

buildService()
printEnvironment()
const random = createRandom(2_026)
const bodies = createBodies(random)
const probe = await startProbe()
const targets = [
  await startTarget('as shipped', {}),
  await startTarget('without threads', { PRECIS_WORKERS: '0' }),
] as const

const [shipped] = targets
// Compiled code and full caches of both, before anything is timed.
for (const target of targets) await measureCapacity(sendTo(target), levelMs / 4)
printCost(await measureCost(shipped.post, bodies, isShort))
const levels = await measureCapacity(sendTo(shipped), levelMs)
const capacity = capacityOf(levels)
printTable(
  `Capacity, ${shipped.name}: ${capacity.toFixed(1)} requests a second`,
  ['callers', 'answered a second'],
  levels.map(({ callers, rate }) => [String(callers), rate]),
)

const phases: PhaseResult[] = []
for (const share of SHARES) {
  for (const target of targets) {
    const durationMs = seconds * 1_000
    const rate = capacity * share
    phases.push(await runPhase({ target, probe, bodies, rate, share, durationMs, random }))
  }
}
printPhases(phases)
const broken = brokenPromises(phases, { shipped: shipped.name, isShort })
for (const promise of broken) console.log(`\nBROKEN: ${promise}`)

for (const { client, stop } of targets) {
  await client.close()
  await stop()
}
await probe.end()
process.exit(broken.length === 0 ? 0 : 1)

function sendTo({ client }: Target): () => Promise<boolean> {
  return async () => (await client.post(bodies.next(bodies.nextClass()), false)).status === 200
}

async function startTarget(
  name: string,
  environment: Readonly<Record<string, string>>,
): Promise<Target & Pick<ServerProcess, 'post' | 'stop'>> {
  const { url, pid, post, stop } = await startServer(builtModule('server.ts'), {
    PRECIS_HOST: '127.0.0.1',
    PRECIS_PORT: '0',
    ...environment,
  })
  return { name, url, pid, post, stop, client: createCompactClient(url) }
}
