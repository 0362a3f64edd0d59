/**
 * How a machine's cores are best put to work: threads of one process, several processes, or a cluster.
 *
 *     npm run bench:cores -- [--short] [--size=20]
 *
 * Requests per second of a closed loop of callers, medians over the rounds; each round sends the same new
 * conversations to every variant in turn, and a ratio is the median of those within the rounds. The callers
 * take a share of the same cores, which `caller ms` tells: on two cores no variant can be twice as fast.
 */
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildService, builtModule } from './lib/built-service.ts'
import { type Callers, type ClosedLoop, createCallers } from './lib/closed-loop.ts'
import { isShort, isWanted, printEnvironment, printTable } from './lib/report.ts'
import { residentMegabytes } from './lib/resident-memory.ts'
import { type ServerProcess, startServer } from './lib/server-process.ts'
import { median, medianRatio } from './lib/statistics.ts'
import { toolConversation } from './lib/tool-conversation.ts'

/** Of the conversations of lib/tool-conversation.ts, with what JSON puts around a message. */
const BYTES_PER_MESSAGE = 850
/** Half of their tokens, so that there is something to do. */
const TARGET_TOKENS_PER_BYTE = 0.12
const WARM_UPS = 3
const CORES = Math.max(2, availableParallelism())
/** A few for each core, so that none waits for the next request. */
const CALLERS = 4 * CORES
const SERVER = builtModule('server.ts')

interface Size {
  readonly kilobytes: number
  readonly rounds: number
  /** Requests to each variant in one round. */
  readonly requests: number
}

const sizes: readonly Size[] = isShort
  ? [
      { kilobytes: 20, rounds: 3, requests: 60 },
      { kilobytes: 200, rounds: 3, requests: 16 },
    ]
  : [
      { kilobytes: 20, rounds: 25, requests: 400 },
      { kilobytes: 200, rounds: 25, requests: 80 },
    ]

interface Variant {
  readonly name: string
  readonly servers: readonly ServerProcess[]
  readonly callers: Callers
}

interface Measured extends ClosedLoop {
  /** CPU milliseconds of this process for one request. */
  readonly callerMs: number
}

type Environment = Readonly<Record<string, string>>

const COMMON: Environment = {
  PRECIS_HOST: '127.0.0.1',
  PRECIS_PORT: '0',
  PRECIS_LOG_LEVEL: 'info',
  // The other processes of this machine are no reason to refuse work.
  PRECIS_MAX_EVENT_LOOP_DELAY_MS: '0',
}

buildService()
printEnvironment()
const variants = [
  await start('one process', { PRECIS_WORKERS: '0' }),
  await start('threads, as configured', { PRECIS_WORKERS: `${CORES - 1}` }),
  await start('threads for all', { PRECIS_WORKERS: `${CORES - 1}`, PRECIS_WORKER_MIN_BYTES: '0' }),
  await start('a thread per core, for all', {
    PRECIS_WORKERS: `${CORES}`,
    PRECIS_WORKER_MIN_BYTES: '0',
  }),
  await start(`${CORES} processes, callers split`, { PRECIS_WORKERS: '0' }, CORES),
  await startCluster(),
]
let seed = 0
for (const size of sizes) if (isWanted(size.kilobytes)) await measureSize(size)
printTable(
  'Memory after it',
  ['variant', 'resident MB'],
  variants.map(({ name, servers }) => [
    name,
    servers.reduce((sum, { pid }) => sum + residentMegabytes(pid), 0),
  ]),
)
for (const { callers, servers } of variants) {
  await callers.close()
  for (const server of servers) await server.stop()
}

async function measureSize({ kilobytes, rounds, requests }: Size): Promise<void> {
  const samples = new Map(variants.map(({ name }) => [name, [] as Measured[]]))
  let bytes = 0
  for (let round = -WARM_UPS; round < rounds; round += 1) {
    const bodies = Array.from({ length: requests }, () => bodyOf(kilobytes * 1_000))
    // Another one begins each time: what comes later finds a warmer processor.
    const first = (round + WARM_UPS) % variants.length
    for (const { name, callers } of [...variants.slice(first), ...variants.slice(0, first)]) {
      const before = process.cpuUsage()
      const loop = await callers.run(bodies)
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) {
        samples.get(name)?.push({ ...loop, callerMs: (user + system) / 1_000 / requests })
      }
    }
    if (round >= 0) for (const body of bodies) bytes += body.length / requests / rounds
  }
  const base = samples.get(variants[0]?.name ?? '') ?? []
  const of = (measured: readonly Measured[], name: keyof Measured) =>
    measured.map((sample) => sample[name])
  printTable(
    `${Math.round(bytes / 1_000)} kB: ${CALLERS} callers, ${rounds} rounds of ${requests} requests`,
    ['variant', 'requests/s', 'over one process', 'p50 ms', 'p99 ms', 'caller ms'],
    [...samples].map(([name, measured]) => [
      name,
      median(of(measured, 'requestsPerSecond')),
      medianRatio(of(measured, 'requestsPerSecond'), of(base, 'requestsPerSecond')),
      median(of(measured, 'p50')),
      median(of(measured, 'p99')),
      median(of(measured, 'callerMs')),
    ]),
  )
}

async function start(name: string, environment: Environment, count = 1): Promise<Variant> {
  const servers: ServerProcess[] = []
  for (let index = 0; index < count; index += 1) {
    servers.push(await startServer(SERVER, { ...COMMON, ...environment }))
  }
  const urls = servers.map(({ url }) => url)
  return { name, servers, callers: createCallers(CALLERS, urls) }
}

async function startCluster(): Promise<Variant> {
  const server = await startServer(new URL('servers/cluster.ts', import.meta.url).href, {
    ...COMMON,
    PRECIS_WORKERS: '0',
    CLUSTER_FILE: fileURLToPath(SERVER),
    CLUSTER_PROCESSES: `${CORES}`,
  })
  const callers = createCallers(CALLERS, [server.url])
  return { name: `a cluster of ${CORES}`, servers: [server], callers }
}

function bodyOf(bytes: number): Buffer {
  seed += 1
  const messages = toolConversation(Math.round(bytes / BYTES_PER_MESSAGE), seed)
  const targetTokens = Math.round(bytes * TARGET_TOKENS_PER_BYTE)
  return Buffer.from(
    JSON.stringify({ format: 'openai-chat', model: 'gpt-4o', targetTokens, messages }),
  )
}
