/**
 * The byte path of a request body beside the plain one: `npx tsx bench/body-path.ts`.
 * Wall and CPU medians in ms; the ways take turns, so that a noisy machine is noisy for all of them.
 */
import { createJsonDecoder } from '../src/http/body/decode-json.ts'
import { encodeJson } from '../src/http/body/encode-json.ts'
import { BODY_BOUNDS, findBrokenBound } from '../src/http/body/structure-bounds.ts'
import { createSeededRandom } from '../test/helpers/seeded-random.ts'

const WORDS = (
  'the file returns a const function which reads "quoted" values from src/index.ts and then ' +
  'drops every message => { \n\t// that no request needs } over the token budget of its stage'
).split(' ')

const PUNCTUATION = ['–', '“yes”', 'naïve', 'résumé', '…', '✓']
const RUSSIAN = 'Проверь, пожалуйста, почему тест падает, и исправь ошибку в файле.'.split(' ')
const CHINESE = '请检查为什么测试失败，并修复文件中的错误。'.split('')

interface Kind {
  readonly name: string
  readonly odd: readonly string[]
  /** Share of messages with such words, and share of such words within them. */
  readonly messages: number
  readonly words: number
}

const ASCII: Kind = { name: 'ASCII', odd: ['-'], messages: 0, words: 0 }
const MIXED: Kind = { name: 'mixed', odd: PUNCTUATION, messages: 0.1, words: 0.02 }
const RUSSIAN_TALK: Kind = { name: 'Russian talk', odd: RUSSIAN, messages: 0.3, words: 1 }
const CHINESE_TALK: Kind = { name: 'Chinese talk', odd: CHINESE, messages: 0.3, words: 1 }

const conversation = (bytes: number, kind: Kind) => {
  const random = createSeededRandom(bytes)
  const messages: unknown[] = []
  for (let size = 0; size < bytes; ) {
    const odd = random.chance(kind.messages)
    const length = random.pick([20, 40, 40, 250, 250, 1_400])
    const text = Array.from({ length }, () =>
      random.pick(odd && random.chance(kind.words) ? kind.odd : WORDS),
    ).join(' ')
    const id = `call_${messages.length}`
    const message = random.chance(0.4)
      ? {
          role: 'assistant',
          content: [
            { type: 'text', text: text.slice(0, 300) },
            {
              type: 'tool_use',
              id,
              name: 'read_file',
              input: { path: 'src/a.ts', lines: [1, 80] },
            },
          ],
        }
      : { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] }
    messages.push(message)
    size += Buffer.byteLength(JSON.stringify(message))
  }
  return { model: 'model', system: 'Be brief.', messages, options: { dryRun: false } }
}

const median = (values: number[]): number =>
  values.sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN

interface Sample {
  readonly wall: number[]
  readonly cpu: number[]
}

const measure = (rounds: number, ways: readonly (() => unknown)[]): string[] => {
  const samples: Sample[] = ways.map(() => ({ wall: [], cpu: [] }))
  const batch = rounds > 100 ? 20 : 1
  for (let round = -5; round < rounds; round += 1) {
    for (const [index, way] of ways.entries()) {
      const cpuBefore = process.cpuUsage()
      const before = performance.now()
      for (let run = 0; run < batch; run += 1) way()
      const wall = performance.now() - before
      const { user, system } = process.cpuUsage(cpuBefore)
      if (round < 0) continue
      samples[index]!.wall.push(wall / batch)
      samples[index]!.cpu.push((user + system) / 1_000 / batch)
    }
  }
  return samples.map(({ wall, cpu }) => `${median(wall).toFixed(2)} / ${median(cpu).toFixed(2)}`)
}

const CASES: readonly (readonly [name: string, bytes: number, kind: Kind])[] = [
  ['20 kB', 20_000, MIXED],
  ['200 kB', 200_000, MIXED],
  ['2 MB', 2_000_000, MIXED],
  ['10 MB', 10_000_000, MIXED],
  ['2 MB', 2_000_000, ASCII],
  ['10 MB', 10_000_000, ASCII],
  ['2 MB', 2_000_000, RUSSIAN_TALK],
  ['2 MB', 2_000_000, CHINESE_TALK],
]

const row = (...cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)

row(
  'body, wall / CPU ms',
  'beyond ASCII',
  'toString + parse',
  'decode',
  'depth check',
  'stringify + from',
  'encode',
)
row(...Array.from({ length: 7 }, () => '---'))
for (const [name, bytes, kind] of CASES) {
  const value = conversation(bytes, kind)
  const body = Buffer.from(JSON.stringify(value))
  const decode = createJsonDecoder()
  if (!encodeJson(decode(body)).equals(body)) throw new Error('The byte path changed the body')
  const beyond = body.reduce((count, byte) => count + (byte >> 7), 0) / body.length
  const rounds = bytes < 100_000 ? 200 : bytes < 1_000_000 ? 100 : bytes < 5_000_000 ? 50 : 20
  row(
    `${name} ${kind.name}`,
    `${(beyond * 100).toFixed(2)}%`,
    ...measure(rounds, [
      () => JSON.parse(body.toString()),
      () => decode(body),
      () => findBrokenBound(body, BODY_BOUNDS),
      () => Buffer.from(JSON.stringify(value)),
      () => encodeJson(value),
    ]),
  )
}
