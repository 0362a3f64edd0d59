/**
 * What the checker costs beside the rest of a compaction: `npx tsx bench/check-cost.ts`. Each format,
 * 2,000 messages with tool exchanges to half of their tokens, without a model. CPU medians in ms of
 * what `/compact` does from the body's bytes to the answer's (texts counted before, as in a session that
 * goes on; and new), and of what checks in it: the rules on input and output, and the change between
 * them. HTTP itself is left out. Aim: 15% at most.
 */
import { compactAnswer } from '../src/conversation/compact-answer.ts'
import { compactConversation } from '../src/conversation/compact-conversation.ts'
import type { CompactRequest } from '../src/conversation/request.ts'
import type { ConversationServices } from '../src/conversation/services.ts'
import { DEFAULT_LOW_WATER } from '../src/conversation/steps/settings.ts'
import { createStepMemo } from '../src/conversation/steps/step-memo.ts'
import type { JsonObject } from '../src/engine/transcript.ts'
import type { FormatId } from '../src/formats/adapter.ts'
import { compareChange } from '../src/formats/change-rule.ts'
import { FORMATS } from '../src/formats/index.ts'
import { createJsonDecoder } from '../src/http/body/decode-json.ts'
import { encodeJsonWith } from '../src/http/body/encode-json.ts'
import { writeLike } from '../src/json-text/encode-like.ts'
import { createJsonSource } from '../src/json-text/json-source.ts'
import { createTokenCounters } from '../src/tokens/token-counter.ts'
import { createWindowTable } from '../src/tokens/windows.ts'
import { isShort, printEnvironment, printTable } from './lib/report.ts'
import { median, medianRatio } from './lib/statistics.ts'

const TURNS = 500
const ROUNDS = isShort ? 5 : 25
const WARM_UP = isShort ? 2 : 5
/** Checked so many times a round: once is too short to be timed. */
const CHECKS = 5

const WORDS =
  'the file reads module stage token budget result which const function drops value'.split(' ')

function prose(words: number, seed: number): string {
  return Array.from(
    { length: words },
    (_, index) => WORDS[(index * 7 + seed * 13) % WORDS.length],
  ).join(' ')
}

type Turn = (number: number, question: string, output: string, answer: string) => JsonObject[]

/** A question, a call, its result and an answer, as each format writes them. */
const TURN_OF: Readonly<Record<FormatId, Turn>> = {
  'openai-chat': (n, question, output, answer) => [
    { role: 'user', content: question },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: `c${n}`, type: 'function', function: { name: 'run', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `c${n}`, content: output },
    { role: 'assistant', content: answer },
  ],
  'openai-responses': (n, question, output, answer) => [
    { role: 'user', content: question },
    { type: 'function_call', call_id: `c${n}`, name: 'run', arguments: '{}' },
    { type: 'function_call_output', call_id: `c${n}`, output },
    { role: 'assistant', content: answer },
  ],
  'anthropic-messages': (n, question, output, answer) => [
    { role: 'user', content: question },
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${n}`, name: 'run', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: output }] },
    { role: 'assistant', content: [{ type: 'text', text: answer }] },
  ],
  gemini: (n, question, output, answer) => [
    { role: 'user', parts: [{ text: question }] },
    { role: 'model', parts: [{ functionCall: { id: `c${n}`, name: 'run', args: {} } }] },
    {
      role: 'user',
      parts: [{ functionResponse: { id: `c${n}`, name: 'run', response: { output } } }],
    },
    { role: 'model', parts: [{ text: answer }] },
  ],
  'ai-sdk': (n, question, output, answer) => [
    { role: 'user', content: question },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: `c${n}`, toolName: 'run', input: {} }],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: `c${n}`,
          toolName: 'run',
          output: { type: 'text', value: output },
        },
      ],
    },
    { role: 'assistant', content: answer },
  ],
  neurolink: (n, question, output, answer) => [
    { id: `q${n}`, role: 'user', content: question },
    { id: `c${n}`, role: 'tool_call', content: '', tool: 'run', toolCallId: `c${n}`, args: {} },
    { id: `r${n}`, role: 'tool_result', content: output, tool: 'run', toolCallId: `c${n}` },
    { id: `a${n}`, role: 'assistant', content: answer },
  ],
}

function conversation(format: FormatId): JsonObject[] {
  return Array.from({ length: TURNS }, (_, n) =>
    TURN_OF[format](n, prose(25, n), prose(150 + (n % 5) * 60, n + 1), prose(60, n + 2)),
  ).flat()
}

function servicesWith(cacheBytes: number): ConversationServices {
  return {
    counters: createTokenCounters({ cacheBytes }),
    windows: createWindowTable(),
    decide: undefined,
    summarize: undefined,
    defaultProfile: 'neurolink',
    defaultOptions: undefined,
    lowWater: DEFAULT_LOW_WATER,
    stepMemo: createStepMemo(0),
    maxMessages: 100_000,
  }
}

const { signal } = new AbortController()
const run = (request: CompactRequest, services: ConversationServices) =>
  compactConversation(request, services, { signal, modelSignal: signal })

const decode = createJsonDecoder()

/** The route without its framework. */
async function answer(body: Buffer, services: ConversationServices): Promise<Buffer> {
  const request = decode(body) as CompactRequest & Readonly<Record<string, unknown>>
  const result = await run(request, services)
  const { list, conversation } = result
  const source = createJsonSource(body, { elementsOf: list })
  return encodeJsonWith(
    compactAnswer(result, { durationMs: () => 0 }),
    new Map([
      [
        list,
        (sink) => {
          const range = source.member(list)
          if (range !== undefined) writeLike(sink, conversation, request[list], body, range)
        },
      ],
    ]),
  )
}

function cpuSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start)
  return (user + system) / 1_000
}

async function measure(format: FormatId) {
  const adapter = FORMATS[format]
  const payload: JsonObject = { [adapter.list]: conversation(format) }
  const [cached, uncached] = [servicesWith(64 * 1024 * 1024), servicesWith(0)]
  const request = { ...payload, format } as CompactRequest
  const { tokensBefore } = (await run({ ...request, targetTokens: 1e9 }, cached)).report
  const half = { ...request, targetTokens: Math.floor(tokensBefore / 2) }
  const { report, conversation: edited } = await run(half, cached)
  if (report.outcome !== 'compacted') throw new Error(`${format}: ${report.outcome}`)
  const after = { ...payload, [adapter.list]: edited }
  const body = Buffer.from(JSON.stringify(half))
  const times = { whole: [] as number[], fresh: [] as number[], checks: [] as number[] }
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    let start = process.cpuUsage()
    await answer(body, cached)
    const whole = cpuSince(start)
    start = process.cpuUsage()
    await answer(body, uncached)
    const fresh = cpuSince(start)
    start = process.cpuUsage()
    for (let time = 0; time < CHECKS; time += 1) {
      adapter.check(payload)
      adapter.check(after)
      compareChange(adapter, payload, after, report.plan)
    }
    const checks = cpuSince(start) / CHECKS
    if (round < 0) continue
    times.whole.push(whole)
    times.fresh.push(fresh)
    times.checks.push(checks)
  }
  const share = (ofWhole: readonly number[]): string =>
    `${(medianRatio(times.checks, ofWhole) * 100).toFixed(1)}%`
  return [
    format,
    median(times.checks).toFixed(2),
    median(times.whole).toFixed(2),
    share(times.whole),
    median(times.fresh).toFixed(2),
    share(times.fresh),
  ]
}

printEnvironment()
const rows: string[][] = []
for (const format of Object.keys(FORMATS) as FormatId[]) rows.push(await measure(format))
printTable(
  'Checks of a compaction of 2,000 messages, CPU ms, and their share of it',
  ['format', 'checks', 'texts known', 'share', 'texts new', 'share'],
  rows,
)
