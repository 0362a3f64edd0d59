/**
 * What the embedded decide model costs beside counting the tokens of the same messages.
 *
 *     npm run build && npx tsx bench/embedded-cost.ts
 *
 * Milliseconds of CPU, medians of rounds. Each round has messages of its own, of some 60 tokens of prose
 * and code. `count`: exact o200k_base tokens of messages that were never counted. `cold`: the model judges
 * messages that it has never seen, `warm`: the same messages for another request. In one table the messages
 * are made of few words, which the counter remembers; in the other they are documentation and type
 * declarations, cut up, each piece of which is given out once in the whole run, so that neither side has seen
 * it. Both sides are compiled before, on other text of the same kind, as in a service that has run for a
 * while. Then the growth with the number of messages, and what a fresh process takes.
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { createEmbeddedDecider as CreateDecider } from '../src/decide/embedded/embedded-decider.ts'
import type { DecisionDocument } from '../src/engine/ports.ts'
import type { getEncoding as GetEncoding } from '../src/tokens/encoding.ts'
import { buildService, builtModule } from './lib/built-service.ts'
import { createRandom } from './lib/random.ts'
import { printEnvironment, printTable } from './lib/report.ts'
import { exponent, median, medianRatio } from './lib/statistics.ts'
import { code, prose } from './lib/texts.ts'
import { readDeclarations, readDocumentation } from './token-corpora.ts'

const SIZES = [200, 300]
const GROWTH_SIZES = [1_000, 2_000, 4_000, 8_000]
const ROUNDS = 25
const WARM_UP_ROUNDS = 10
/** With the warm-up's share, as many as the corpora have text for. */
const REAL_ROUNDS = 9
/** As many as it takes until neither side gets faster: real text takes ways that few words do not. */
const REAL_WARM_UP_ROUNDS = 60
const WARM_UP_SHARE = 0.25
const MESSAGE_LENGTH = 280
const RECENT = 6
const REQUESTS = [
  'What did we decide about the retry limit of the payment worker?',
  'Which migration added the index on customer addresses?',
]

type Task = () => Promise<unknown> | unknown

buildService()
const { createEmbeddedDecider } = (await import(
  builtModule('decide/embedded/embedded-decider.ts')
)) as { createEmbeddedDecider: typeof CreateDecider }
const { getEncoding } = (await import(builtModule('tokens/encoding.ts'))) as {
  getEncoding: typeof GetEncoding
}
const random = createRandom(7)

function makeMessages(count: number): DecisionDocument[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    // Through a buffer, as a body comes: the text is one flat string that nobody has read.
    text: Buffer.from((index % 4 === 3 ? code : prose)(MESSAGE_LENGTH, random)).toString(),
  }))
}

async function cpuMilliseconds(task: Task): Promise<number> {
  const start = process.cpuUsage()
  await task()
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

function judge(
  decider: ReturnType<typeof CreateDecider>,
  messages: readonly DecisionDocument[],
  request: string,
) {
  const documents = messages.slice(0, -RECENT)
  return decider.decide({
    site: 'relevance',
    questions: documents.map(({ id }) => ({
      id,
      kind: 'boolean' as const,
      about: id,
      instructions: 'Is it still needed?',
    })),
    state: { fields: { current_request: request }, recent: messages.slice(-RECENT), documents },
    signal: new AbortController().signal,
  })
}

interface Texts {
  readonly make: (count: number) => DecisionDocument[]
  readonly makeWarmUp: (count: number) => DecisionDocument[]
  readonly warmUpRounds: number
  readonly rounds: number
}

const FEW_WORDS: Texts = {
  make: makeMessages,
  makeWarmUp: makeMessages,
  warmUpRounds: WARM_UP_ROUNDS,
  rounds: ROUNDS,
}

/** Real text: that of the warm-up is cut out anywhere in one part of it, the other is given out once. */
function readRealTexts(): Texts {
  const corpora = [readDocumentation(), readDeclarations()]
  const shortest = Math.min(...corpora.map(({ length }) => length))
  const boundary = Math.floor(shortest * WARM_UP_SHARE)
  const cut = (index: number, start: number): DecisionDocument => ({
    id: `m${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    text: Buffer.from(
      (corpora[index % 2] as string).slice(start, start + MESSAGE_LENGTH),
    ).toString(),
  })
  let next = boundary
  return {
    makeWarmUp: (count) =>
      Array.from({ length: count }, (_, index) =>
        cut(index, Math.floor(random() * (boundary - MESSAGE_LENGTH))),
      ),
    make: (count) =>
      Array.from({ length: count }, (_, index) => {
        if (next + MESSAGE_LENGTH > shortest) throw new Error('There is too little text.')
        const message = cut(index, next)
        if (index % 2 === 1) next += MESSAGE_LENGTH
        return message
      }),
    warmUpRounds: REAL_WARM_UP_ROUNDS,
    rounds: REAL_ROUNDS,
  }
}

async function measureSize(size: number, { make, makeWarmUp, warmUpRounds, rounds }: Texts) {
  const decider = createEmbeddedDecider()
  const { countTokens } = getEncoding('o200k_base')
  const times = { count: [] as number[], cold: [] as number[], warm: [] as number[] }
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const messages = (round < 0 ? makeWarmUp : make)(size)
    const count = await cpuMilliseconds(() => {
      for (const { text } of messages) countTokens(text)
    })
    const cold = await cpuMilliseconds(() => judge(decider, messages, REQUESTS[0]!))
    const warm = await cpuMilliseconds(() => judge(decider, messages, REQUESTS[1]!))
    if (round < 0) continue
    times.count.push(count)
    times.cold.push(cold)
    times.warm.push(warm)
  }
  return times
}

/** First calls and the memory of the table, in a process that has done nothing else. */
async function measureStart(): Promise<void> {
  const messages = makeMessages(200)
  const before = process.memoryUsage().rss
  const decider = createEmbeddedDecider()
  const table = await cpuMilliseconds(() => judge(decider, messages.slice(0, 8), REQUESTS[0]!))
  const memory = process.memoryUsage().rss - before
  const first = await cpuMilliseconds(() => judge(decider, messages, REQUESTS[0]!))
  const { countTokens } = getEncoding('o200k_base')
  countTokens('a')
  const count = await cpuMilliseconds(() => {
    for (const { text } of messages) countTokens(text)
  })
  console.log(JSON.stringify({ table, first, count, megabytes: memory / 2 ** 20 }))
}

async function measureAll(): Promise<void> {
  printEnvironment()
  const columns = ['messages', 'count', 'cold', 'warm', 'cold / count', 'warm / count']
  for (const [title, texts] of [
    ['text that nobody has seen', readRealTexts()],
    ['few words', FEW_WORDS],
  ] as const) {
    const rows: number[][] = []
    for (const size of SIZES) {
      const { count, cold, warm } = await measureSize(size, texts)
      const ratios = [medianRatio(cold, count), medianRatio(warm, count)]
      rows.push([size, median(count), median(cold), median(warm), ...ratios])
    }
    printTable(`CPU of one call, ms: ${title}`, columns, rows)
  }

  const points: { messages: number; ms: number }[] = []
  for (const messages of GROWTH_SIZES) {
    const times: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const made = makeMessages(messages)
      times.push(
        await cpuMilliseconds(() =>
          judge(createEmbeddedDecider({ cacheBytes: 0 }), made, REQUESTS[0]!),
        ),
      )
    }
    points.push({ messages, ms: median(times) })
  }
  printTable(
    `Growth, nothing remembered: exponent ${exponent(points).toFixed(2)}`,
    ['messages', 'ms'],
    points.map(({ messages, ms }) => [messages, ms]),
  )

  const runs = Array.from({ length: 5 }, () => {
    const script = fileURLToPath(import.meta.url)
    const output = execFileSync(process.execPath, [...process.execArgv, script, '--start'])
    return JSON.parse(output.toString()) as Record<string, number>
  })
  const of = (name: string): number => median(runs.map((run) => run[name] ?? Number.NaN))
  printTable(
    'A fresh process',
    ['reading the table, ms', 'first 200 messages, ms', 'first count of them, ms', 'memory, MB'],
    [[of('table'), of('first'), of('count'), of('megabytes')]],
  )
}

await (process.argv.includes('--start') ? measureStart() : measureAll())
