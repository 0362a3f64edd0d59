/** P12: what callers and models say is in no log line at any level, no metric and no problem document. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import {
  type ServiceProcess,
  START_PROCESS_MS,
  startServiceProcess,
} from '../helpers/start-service-process.ts'
import { type SummarizerServer, startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'

/** One word for each place, found nowhere else. */
const CANARIES = {
  message: 'canary-message',
  instructions: 'canary-instructions',
  toolName: 'canary-tool-name',
  toolDescription: 'canary-tool-description',
  toolArguments: 'canary-tool-arguments',
  toolResult: 'canary-tool-result',
  speaker: 'canary-speaker',
  currentRequest: 'canary-current-request',
  fileName: 'canary-file-name',
  fileText: 'canary-file-text',
  summary: 'canary-summary',
  model: 'canary-model',
  format: 'canary-format',
  pin: 'canary-pin',
  role: 'canary-role',
  query: 'canary-query',
  path: 'canary-path',
  header: 'canary-header',
  callerKey: 'canary-caller-key',
  strangerKey: 'canary-stranger-key',
  packet: 'canary-packet',
} as const

const CALL = {
  id: 'call_1',
  type: 'function',
  function: { name: CANARIES.toolName, arguments: `{"path":"${CANARIES.toolArguments}"}` },
}
const MESSAGES = [
  { role: 'system', content: CANARIES.instructions },
  { role: 'user', content: `${CANARIES.message} the task`, name: CANARIES.speaker },
  { role: 'assistant', content: null, tool_calls: [CALL] },
  { role: 'tool', tool_call_id: 'call_1', content: `${CANARIES.toolResult} `.repeat(300) },
  ...Array.from({ length: 20 }, (_, index) => ({
    role: index % 2 === 0 ? 'assistant' : 'user',
    content: `${CANARIES.message} number ${index}. `.repeat(20),
  })),
]
const TOOL = { name: CANARIES.toolName, description: CANARIES.toolDescription }
const CONVERSATION = {
  format: 'openai-chat',
  model: CANARIES.model,
  tools: [{ type: 'function', function: TOOL }],
  messages: MESSAGES,
}
const COMPACT = {
  ...CONVERSATION,
  currentRequest: CANARIES.currentRequest,
  targetTokens: 2_500,
}
const FILES = [CANARIES.fileText, { name: CANARIES.fileName, text: CANARIES.fileText }]
const BUDGET = { ...CONVERSATION, currentRequest: CANARIES.currentRequest, files: FILES }
const CHECK = { ...CONVERSATION, summary: `${CANARIES.summary} ${GOOD_SUMMARY}` }

const closing: (() => Promise<unknown>)[] = []
let decide: DecideServer
let summarizer: SummarizerServer
let service: ServiceProcess
let metrics = ''
const problems: string[] = []
const statuses = new Map<number, number>()

async function post(path: string, body: unknown, key: string = CANARIES.callerKey): Promise<void> {
  const answer = await service.send(`${path}?q=${CANARIES.query}`, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${key}`,
      'x-custom': CANARIES.header,
      cookie: CANARIES.header,
      'user-agent': CANARIES.header,
      'x-request-id': `not sane ${CANARIES.header}`,
    },
  })
  statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
  if (answer.statusCode >= 400) problems.push(JSON.stringify(answer.headers) + answer.body)
}

beforeAll(async () => {
  decide = await WIRES.systemone.start((id) => (id === 'is_refusal' ? 0.02 : 0.9))
  summarizer = await startSummarizerServer()
  service = await startServiceProcess({
    environment: {
      ...decideVariables('systemone', decide.url, 1_000),
      ...summarizerVariables('openai', summarizer, 1_000),
      PRECIS_API_KEYS: CANARIES.callerKey,
      PRECIS_BODY_LIMIT_BYTES: '200000',
      PRECIS_REQUEST_DEADLINE_MS: '4000',
    },
  })
  closing.push(decide.close, summarizer.close, service.stop)
  await everythingThatWorks()
  await everythingThatIsWrong()
  await callersWhoBreakOff()
  await modelsThatFail()
  metrics = (await service.metrics()).text
  await service.stop()
}, 2 * START_PROCESS_MS)
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

async function everythingThatWorks(): Promise<void> {
  summarizer.script({ kind: 'summary', text: `${CANARIES.summary} ${GOOD_SUMMARY}` })
  await post('/compact', COMPACT)
  await post('/compact', { ...COMPACT, explain: 'all', profile: 'agent' })
  await post('/compact', { ...COMPACT, targetTokens: 60 })
  await post('/budget', BUDGET)
  await post('/summary-check', CHECK)
}

async function everythingThatIsWrong(): Promise<void> {
  const good = JSON.stringify(COMPACT)
  for (const path of ['/compact', '/budget', '/summary-check', `/${CANARIES.path}`]) {
    await post(path, good.slice(0, -5))
    await post(path, `${good}${CANARIES.message}`)
    await post(path, [CANARIES.message])
    await post(path, { ...COMPACT, messages: CANARIES.message })
    await post(path, { ...COMPACT, format: CANARIES.format })
    await post(path, { ...CHECK, messages: [{ role: CANARIES.role, content: CANARIES.message }] })
    await post(path, { ...COMPACT, pins: [CANARIES.pin], profile: CANARIES.format })
    await post(path, { ...COMPACT, pins: [CANARIES.pin] })
    await post(path, `${good}${' '.repeat(200_000)}`)
    await post(path, good, CANARIES.strangerKey)
  }
}

async function callersWhoBreakOff(): Promise<void> {
  const { port, hostname } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  socket.write(`${CANARIES.packet} ${CANARIES.packet}\r\n\r\n`)
  socket.resume()
  await once(socket, 'close')

  decide.setFault('hang')
  const caller = new AbortController()
  const headers = { authorization: `Bearer ${CANARIES.callerKey}` }
  const before = decide.requests.length
  const options = { method: 'POST', body: COMPACT, headers, signal: caller.signal } as const
  const left = service.send('/compact', options).catch(() => 'left')
  await eventually(() => decide.requests.length > before)
  caller.abort()
  expect(await left).toBe('left')
}

async function modelsThatFail(): Promise<void> {
  for (const fault of [{ status: 422 }, 'garbage', 'nan', 'reset', { status: 401 }] as const) {
    decide.setFault(fault)
    summarizer.script({ kind: 'raw', status: 400, body: `{"error":"${CANARIES.summary}"}` })
    await post('/compact', COMPACT)
    await post('/budget', BUDGET)
    await post('/summary-check', CHECK)
  }
}

describe('what callers and models say', () => {
  it('was said: requests worked, failed and reached the models', () => {
    expect(statuses.get(200)).toBeGreaterThanOrEqual(18)
    for (const status of [400, 401, 404, 413, 422]) {
      expect(statuses.get(status), String(status)).toBeGreaterThanOrEqual(1)
    }
    const sent = JSON.stringify(decide.requests) + JSON.stringify(summarizer.requests)
    const { message, toolResult, toolArguments, currentRequest, summary } = CANARIES
    for (const canary of [message, toolResult, toolArguments, currentRequest, summary]) {
      expect(sent).toContain(canary)
    }
  })

  it('is in no log line', () => {
    const lines = service.logLines()
    expect(lines.filter(({ msg }) => msg === 'request completed').length).toBeGreaterThan(40)
    expect(lines.some(({ problem }) => problem === 'client-closed-request')).toBe(true)
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' })
    expect(service.logText().match(/.*canary.*/gi)).toBeNull()
    for (const key of [WIRES.systemone.key, summarizer.rules.apiKey]) {
      expect(service.logText()).not.toContain(key)
    }
    // As a console and as JSON write bytes that nobody has decoded.
    const bytes = [...Buffer.from('canary')]
    expect(service.logText()).not.toContain(bytes.map((byte) => byte.toString(16)).join(' '))
    expect(service.logText()).not.toContain(bytes.join(','))
  })

  it('is in no metric', () => {
    expect(metrics).toContain('precis_compactions_total')
    expect(metrics).toContain('precis_fail_open_total{site="summarize"')
    expect(metrics.match(/.*canary.*/gi)).toBeNull()
  })

  it('is in no problem document, nor in the headers beside it', () => {
    expect(problems.length).toBeGreaterThan(30)
    for (const problem of problems) expect(problem).not.toMatch(/canary/i)
  })
})
