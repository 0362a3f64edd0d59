/**
 * Counts the same texts with our counter, tiktoken's WASM and gpt-tokenizer, side by side.
 *
 *     npx tsx bench/count-tokens.ts
 *
 * MB of UTF-8 per second of CPU, median of 5 processes per counter. The texts are cut into messages of
 * 4,000 UTF-16 units. `first`: a fresh process, compilation included. `repeat`: the same texts again.
 * `unseen`: a process that has counted other halves of the same corpora. Then our counter's milliseconds of
 * CPU on texts that are quadratic elsewhere, by their UTF-16 units. gpt-tokenizer is not a dependency;
 * name a folder whose node_modules has it in GPT_TOKENIZER_FROM, or it is left out.
 */
import { execFileSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { get_encoding } from 'tiktoken'
import { getEncoding } from '../src/tokens/encoding.ts'
import { PATHOLOGICAL_TEXTS } from '../test/unit/tokens/pathological-texts.ts'
import { readCorpora } from './token-corpora.ts'

const MESSAGE_UNITS = 4000
const PROCESSES = 5

type Count = (text: string) => number
type Rates = Record<string, { first: number; repeat: number; unseen: number; tokens: number }>

const counters: Record<string, () => Count> = {
  ours: () => getEncoding('o200k_base').countTokens,
  'tiktoken wasm': () => {
    const encoding = get_encoding('o200k_base')
    return (text) => encoding.encode_ordinary(text).length
  },
  'gpt-tokenizer': () => {
    const from = `${process.env.GPT_TOKENIZER_FROM ?? process.cwd()}/package.json`
    const { countTokens } = createRequire(from)('gpt-tokenizer/encoding/o200k_base') as {
      countTokens: (text: string, options: object) => number
    }
    const options = { disallowedSpecial: new Set() }
    return (text) => countTokens(text, options)
  },
}

function measure(count: Count, unseenHalf: boolean): Rates {
  const rates: Rates = {}
  const cut = Object.entries(readCorpora()).map(([name, text]) => ({
    name,
    messages: Array.from({ length: Math.ceil(text.length / MESSAGE_UNITS) }, (_, index) =>
      Buffer.from(text.slice(index * MESSAGE_UNITS, (index + 1) * MESSAGE_UNITS)).toString(),
    ),
  }))
  const pass = (messages: readonly string[]): [rate: number, tokens: number] => {
    const bytes = messages.reduce((sum, message) => sum + Buffer.byteLength(message), 0)
    const before = process.cpuUsage()
    const tokens = messages.reduce((sum, message) => sum + count(message), 0)
    const { user, system } = process.cpuUsage(before)
    return [bytes / (user + system), tokens]
  }
  if (unseenHalf) {
    for (const { messages } of cut) pass(messages.filter((_, index) => index % 2 === 0))
    for (const { name, messages } of cut) {
      const [unseen] = pass(messages.filter((_, index) => index % 2 === 1))
      rates[name] = { first: 0, repeat: 0, unseen, tokens: 0 }
    }
    return rates
  }
  const first = cut.map(({ messages }) => pass(messages))
  for (const [index, { name, messages }] of cut.entries()) {
    const [repeat] = pass(messages)
    const [rate, tokens] = first[index] ?? [0, 0]
    rates[name] = { first: rate, repeat, unseen: 0, tokens }
  }
  return rates
}

function runProcess(counter: string, half: string): Rates | undefined {
  const args = [...process.execArgv, fileURLToPath(import.meta.url), counter, half]
  try {
    return JSON.parse(
      execFileSync(process.execPath, args, { encoding: 'utf8', stdio: 'pipe' }),
    ) as Rates
  } catch (error) {
    console.error(
      `LEFT OUT: ${counter}: ${String(error)
        .split('\n')
        .find((line) => line.includes('Error:'))}`,
    )
    return undefined
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[values.length >> 1] ?? Number.NaN
}

function report(): void {
  const tables: Record<'first' | 'unseen' | 'repeat', Record<string, Record<string, string>>> = {
    first: {},
    unseen: {},
    repeat: {},
  }
  const totals: Record<string, Record<string, number>> = {}
  for (const counter of Object.keys(counters)) {
    const whole = runProcess(counter, 'whole')
    if (whole === undefined) continue
    const wholes = [whole]
    const halves: Rates[] = []
    for (let run = 0; run < PROCESSES; run++) {
      const half = runProcess(counter, 'half')
      if (half) halves.push(half)
      const again = run > 0 ? runProcess(counter, 'whole') : undefined
      if (again) wholes.push(again)
    }
    for (const name of Object.keys(whole)) {
      const of = (runs: Rates[], kind: 'first' | 'repeat' | 'unseen'): string =>
        median(runs.map((rates) => rates[name]?.[kind] ?? Number.NaN)).toFixed(1)
      const row = (kind: 'first' | 'repeat' | 'unseen'): Record<string, string> => {
        tables[kind][name] ??= {}
        return tables[kind][name]
      }
      row('first')[counter] = of(wholes, 'first')
      row('repeat')[counter] = of(wholes, 'repeat')
      row('unseen')[counter] = of(halves, 'unseen')
      totals[name] ??= {}
      totals[name][counter] = whole[name]?.tokens ?? Number.NaN
    }
  }
  for (const [kind, table] of Object.entries(tables)) {
    console.log(`\n${kind}, MB/s`)
    console.table(table)
  }
  console.log('\ntokens')
  console.table(totals)
}

function reportGrowth(): void {
  const { countTokens } = getEncoding('o200k_base')
  const table: Record<string, Record<string, string>> = {}
  for (const [name, make] of Object.entries(PATHOLOGICAL_TEXTS)) {
    const row: Record<string, string> = {}
    for (const units of [2000, 20_000, 200_000, 2_000_000]) {
      const text = make(units)
      const before = process.cpuUsage()
      countTokens(text)
      const { user, system } = process.cpuUsage(before)
      row[`${units / 1000}k`] = ((user + system) / 1000).toFixed(1)
    }
    table[name] = row
  }
  console.log('\nours, ms')
  console.table(table)
}

const [counter, half] = process.argv.slice(2)
const create = counter === undefined ? undefined : counters[counter]
if (create) console.log(JSON.stringify(measure(create(), half === 'half')))
else {
  report()
  reportGrowth()
}
