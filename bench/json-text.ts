/**
 * What it costs to give a conversation back in its own bytes, beside parsing it and beside encoding
 * it anew: `npx tsx bench/json-text.ts`. 2,000 messages, 2 MB. CPU medians in ms; the ways take turns,
 * and the ratio is the median of the rounds' ratios to `encodeJson` of the same answer.
 */
import { encodeJson, encodeJsonWith } from '../src/http/body/encode-json.ts'
import type { ByteSink } from '../src/json-text/byte-sink.ts'
import { writeLike } from '../src/json-text/encode-like.ts'
import { createJsonSource } from '../src/json-text/json-source.ts'
import { createSeededRandom, type SeededRandom } from '../test/helpers/seeded-random.ts'
import { median, medianRatio } from './lib/statistics.ts'

const MESSAGES = 2_000
const WARM_UP_ROUNDS = 10
const ROUNDS = 41
const REWRITTEN = 20

type Message = Record<string, unknown>

const WORDS = (
  'the file returns a const function which reads "quoted" values from src/index.ts and then ' +
  'drops every message => { \n\t// that no request needs } over the token budget of its stage'
).split(' ')

const textOf = (random: SeededRandom, words: number): string =>
  Array.from({ length: words }, () => random.pick(WORDS)).join(' ')

/** A tool exchange every two messages, results from 40 to 900 words. */
const conversation = (): Message[] => {
  const random = createSeededRandom(2_000)
  return Array.from({ length: MESSAGES }, (_, index): Message => {
    const id = `call_${index >> 1}`
    if (index % 2 === 1) {
      const content = textOf(random, random.pick([40, 200, 250, 250, 900]))
      return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }
    }
    const text = textOf(random, 30)
    const input = { path: `src/module-${index}.ts`, lines: [1, index], inode: index / 7 }
    return {
      role: 'assistant',
      content: [
        { type: 'text', text },
        { type: 'tool_use', id, name: 'read_file', input },
      ],
    }
  })
}

/** Every other exchange is dropped, and the results of so many others are cleared. */
const halved = (messages: readonly Message[]): Message[] => {
  const kept = messages.filter((_, index) => (index >> 1) % 2 === 0)
  const every = Math.floor(kept.length / 2 / REWRITTEN) * 2
  return kept.map((message, index) => {
    if (index % every !== 1 || !Array.isArray(message.content)) return message
    const content = message.content.map((block: Message) => ({ ...block, content: '[cleared]' }))
    return { ...message, content }
  })
}

const answer = { outcome: 'compacted', fits: true, tokensBefore: 500_000, warnings: [] }

const measure = (ways: Readonly<Record<string, () => unknown>>): Map<string, number[]> => {
  const times = new Map(Object.keys(ways).map((name): [string, number[]] => [name, []]))
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
    for (const [name, way] of Object.entries(ways)) {
      const before = process.cpuUsage()
      way()
      const { user, system } = process.cpuUsage(before)
      if (round >= 0) times.get(name)?.push((user + system) / 1_000)
    }
  }
  return times
}

const row = (...cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)

const posted = conversation()
const body = Buffer.from(JSON.stringify({ model: 'model', system: 'Be brief.', messages: posted }))
const request = JSON.parse(body.toString()) as { messages: Message[] }

const keepingBytes = (messages: readonly Message[]): Buffer => {
  const source = createJsonSource(body, { elementsOf: 'messages' })
  const range = source.member('messages')
  if (range === undefined) throw new Error('The body has no messages')
  const write = (sink: ByteSink) => writeLike(sink, messages, request.messages, body, range)
  return encodeJsonWith(answer, new Map([['messages', write]]))
}

console.log(`${MESSAGES} messages, ${(body.length / 1e6).toFixed(2)} MB\n`)
row('answer', 'way', 'CPU ms', 'of encodeJson')
row('---', '---', '---', '---')
for (const [name, messages] of [
  ['unchanged', request.messages],
  [`half dropped, ${REWRITTEN} rewritten`, halved(request.messages)],
] as const) {
  const anew = () => encodeJson({ ...answer, messages })
  if (!keepingBytes(messages).equals(anew())) throw new Error('The two ways differ')
  const times = measure({
    'JSON.parse of the body': () => JSON.parse(body.toString()),
    encodeJson: anew,
    'find the messages': () => createJsonSource(body).member('messages'),
    'keep the bytes': () => keepingBytes(messages),
  })
  const bases = times.get('encodeJson') ?? []
  for (const [way, values] of times) {
    row(name, way, median(values).toFixed(2), medianRatio(values, bases).toFixed(2))
  }
}
