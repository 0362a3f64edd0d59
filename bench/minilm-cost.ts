/**
 * What the better tier of the embedded decide model costs. Needs `npm run setup:minilm`, and Linux for what
 * its process takes.
 *
 *     npx tsx bench/minilm-cost.ts [<folder>]
 *
 * Medians of rounds on messages of some 60 tokens of prose and code, each round with messages of its own.
 * `cold`: messages that the model has never seen, `cached`: the same messages for another request. CPU is that of
 * both processes, and of the service's own besides.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { createEmbeddedDecider } from '../src/decide/embedded/embedded-decider.ts'
import { DEFAULT_FOLDER } from '../src/decide/minilm/installation.ts'
import { openMinilm } from '../src/decide/minilm/open-minilm.ts'
import type { DecidePort, DecisionDocument } from '../src/engine/ports.ts'
import { createRandom } from './lib/random.ts'
import { printEnvironment, printTable } from './lib/report.ts'
import { median } from './lib/statistics.ts'
import { code, prose } from './lib/texts.ts'

const SIZES = [200, 300]
const THREADS = [1, 2]
const ROUNDS = 7
const MESSAGE_LENGTH = 280
const REQUESTS = [
  'What did we decide about the retry limit of the payment worker?',
  'Which migration added the index on customer addresses?',
]
/** Of /proc, on every Linux that Node.js runs on. */
const TICK_MS = 10
const PAGE_MB = 4_096 / 2 ** 20

const random = createRandom(7)
const folder = process.argv[2] ?? DEFAULT_FOLDER

function makeMessages(count: number): DecisionDocument[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    text: (index % 4 === 3 ? code : prose)(MESSAGE_LENGTH, random),
  }))
}

interface Cost {
  readonly wall: number
  readonly own: number
  readonly all: number
}

async function costOf(
  decide: DecidePort,
  documents: readonly DecisionDocument[],
  request: string,
): Promise<Cost> {
  const started = { wall: performance.now(), own: process.cpuUsage(), encoder: encoderStat()?.cpu }
  const { answers, failure } = await decide.decide({
    site: 'relevance',
    questions: documents.map(({ id }) => ({
      id,
      kind: 'boolean',
      about: id,
      instructions: 'Is it still needed?',
    })),
    state: { fields: { current_request: request }, recent: [], documents },
    signal: new AbortController().signal,
  })
  if (failure !== undefined || answers.size === 0) throw new Error(`no answer: ${failure}`)
  const wall = performance.now() - started.wall
  const { user, system } = process.cpuUsage(started.own)
  const own = (user + system) / 1_000
  return { wall, own, all: own + (encoderStat()?.cpu ?? 0) - (started.encoder ?? 0) }
}

/** Milliseconds of CPU and MB of the encoder's process, which is a child of this one. */
function encoderStat(): { readonly cpu: number; readonly megabytes: number } | undefined {
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      // The name of the program, which may hold anything, ends at the last parenthesis.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(')').at(-1)!.trim().split(' ')
      if (Number(fields[1]) !== process.pid) continue
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('encoder-process')) continue
      const cpu = (Number(fields[11]) + Number(fields[12])) * TICK_MS
      return { cpu, megabytes: Number(fields[21]) * PAGE_MB }
    } catch {
      // It ended while it was looked at.
    }
  }
  return undefined
}

async function measure(decide: DecidePort, size: number) {
  const rounds: { cold: Cost; cached: Cost }[] = []
  for (let round = -2; round < ROUNDS; round += 1) {
    const messages = makeMessages(size)
    const cold = await costOf(decide, messages, REQUESTS[0]!)
    const cached = await costOf(decide, messages, REQUESTS[1]!)
    if (round >= 0) rounds.push({ cold, cached })
  }
  const of = (state: 'cold' | 'cached', what: keyof Cost): number =>
    median(rounds.map((one) => one[state][what]))
  return [
    size,
    ...(['cold', 'cached'] as const).flatMap((state) => [
      of(state, 'wall'),
      of(state, 'all'),
      of(state, 'own'),
    ]),
  ]
}

const COLUMNS = [
  'messages',
  'cold, ms',
  'CPU, ms',
  'of it the service, ms',
  'cached, ms',
  'CPU, ms',
  'of it the service, ms',
]

printEnvironment()
const rows: number[][] = []
for (const size of SIZES) rows.push(await measure(createEmbeddedDecider(), size))
printTable('static', COLUMNS, rows)
for (const threads of THREADS) {
  const before = process.memoryUsage().rss
  const startedAt = performance.now()
  const minilm = openMinilm({ folder, threads, timeoutMs: 600_000, cacheBytes: 32 * 2 ** 20 })
  await minilm.ready
  const start = performance.now() - startedAt
  const own: number[][] = []
  for (const size of SIZES) own.push(await measure(minilm.port, size))
  printTable(`minilm, threads: ${threads}`, COLUMNS, own)
  printTable(
    'its start and memory',
    ['start, ms', 'encoder, MB', 'more in the service, MB'],
    [[start, encoderStat()?.megabytes ?? 0, (process.memoryUsage().rss - before) / 2 ** 20]],
  )
  await minilm.close()
}
