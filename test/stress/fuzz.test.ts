import { createServer, type Server } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUiFiles } from '../../src/http/ui-files.ts'
import { checkAnswer, checkRawOutcome } from '../../stress/fuzz/checks/check-answer.ts'
import { createIsDocumented } from '../../stress/fuzz/checks/documented-statuses.ts'
import { fuzzService } from '../../stress/fuzz/fuzz-service.ts'
import { generateRequest } from '../../stress/fuzz/generate-request.ts'
import { readAnswers } from '../../stress/fuzz/read-answers.ts'
import { sendRaw } from '../../stress/fuzz/send-raw.ts'
import { shrinkRequest } from '../../stress/fuzz/shrink-request.ts'
import { type FuzzTarget, startTarget } from '../../stress/fuzz/start-target.ts'
import type { Answer, FuzzRequest, RawScript, SentRequest } from '../../stress/fuzz/types.ts'

/** From its sources: compiling is the script's, and takes as long as all of this. */
const SERVER = fileURLToPath(new URL('../../src/server.ts', import.meta.url))

const REQUESTS = 400
const START_MS = 90_000
const RUN_MS = 120_000

/** From its sources the service has the page only where it was built; elsewhere nobody asks for it. */
const hasPage = readUiFiles() !== undefined

function generate(seed: number): FuzzRequest {
  const request = generateRequest(seed)
  const isOfPage = 'path' in request && request.path.startsWith('/ui')
  return isOfPage && !hasPage ? generate(seed + REQUESTS) : request
}

let target: FuzzTarget
beforeAll(async () => {
  target = await startTarget(SERVER)
}, START_MS)
afterAll(() => target?.close(), START_MS)

const MESSAGES = [
  { role: 'user', content: 'Find out why the nightly build fails.' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'run', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: 'All is well. '.repeat(300) },
  { role: 'assistant', content: 'Nothing is wrong with it.' },
  { role: 'user', content: 'Then look at the log.' },
]

const COMPACT: SentRequest = {
  seed: 1,
  family: 'valid',
  change: '',
  surface: 'own',
  method: 'POST',
  path: '/compact',
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(
    JSON.stringify({
      format: 'openai-chat',
      messages: MESSAGES,
      targetTokens: 200,
      options: { protectRecent: 1 },
    }),
  ),
  format: 'openai-chat',
  statuses: [200],
}

async function post(): Promise<Answer> {
  const { statusCode, headers, body } = await target.service.send('/compact', {
    method: 'POST',
    body: COMPACT.body,
  })
  return { status: statusCode, headers, body: Buffer.from(body) }
}

async function checksOf(change: (answer: Answer, json: Record<string, unknown>) => Answer) {
  const answer = await post()
  const document = JSON.parse((await target.service.send('/openapi.json')).body)
  const changed = change(answer, JSON.parse(answer.body.toString()))
  const findings = checkAnswer(COMPACT, changed, createIsDocumented(document))
  return [...new Set(findings.map(({ check }) => check))]
}

const withJson = (answer: Answer, members: Record<string, unknown>): Answer => ({
  ...answer,
  body: Buffer.from(JSON.stringify({ ...JSON.parse(answer.body.toString()), ...members })),
})

describe('requests that were generated', () => {
  it('find nothing: no 500, no hang, no invalid output, nothing in flight afterwards', {
    timeout: RUN_MS,
  }, async () => {
    const report = await fuzzService(target, { requests: REQUESTS, seed: 700_000, generate })
    expect(report.findings).toEqual([])
    expect(report).toMatchObject({
      requests: REQUESTS,
      inFlight: 0,
      invariantViolations: 0,
      internalErrors: 0,
      hasEnded: false,
      log: '',
    })
    expect([...report.statuses.keys()].sort()).toEqual(['hostile', 'nearly-valid', 'valid'])
    expect(report.statuses.get('valid')?.get('200')).toBeGreaterThan(REQUESTS / 5)
    expect(report.statuses.get('nearly-valid')?.get('400')).toBeGreaterThan(REQUESTS / 40)
    expect(report.statuses.get('hostile')?.get('400')).toBeGreaterThan(0)
  })

  it('are the same for the same seed', { timeout: RUN_MS }, () => {
    for (let seed = 0; seed < 200; seed += 1) {
      expect(generateRequest(seed)).toEqual(generateRequest(seed))
    }
  })
})

describe('the fuzzer', () => {
  it('has nothing to say of a good answer', async () => {
    expect(await checksOf((answer) => answer)).toEqual([])
  })

  it('notices an error where there should be none, and one that nobody documents', async () => {
    const broken = { status: 500, headers: {}, body: Buffer.from('') }
    expect(await checksOf(() => broken)).toContain('status')
    expect(await checksOf((answer) => ({ ...answer, status: 418 }))).toContain('status')
    const bare = await checksOf((answer) => ({ ...answer, status: 503 }))
    expect(bare).toEqual(expect.arrayContaining(['retry-after', 'problem document']))
  })

  it('notices an output that breaks a rule of the provider', async () => {
    const messages = MESSAGES.filter(({ role }) => role !== 'tool')
    const checks = await checksOf((answer) => withJson(answer, { messages }))
    expect(checks).toEqual([expect.stringMatching(/^invalid: /)])
  })

  it('notices counts that do not add up', async () => {
    expect(await checksOf((answer) => withJson(answer, { tokensAfter: 100_000 }))).toEqual(
      expect.arrayContaining(['grows', 'totals', 'fits']),
    )
    expect(await checksOf((answer, { fits }) => withJson(answer, { fits: fits !== true }))).toEqual(
      ['fits'],
    )
    expect(await checksOf((answer) => withJson(answer, { outcome: 'unchanged' }))).toEqual([
      'unchanged',
    ])
  })

  it('notices a second answer that was smuggled in', () => {
    const one = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'
    const script: RawScript = {
      seed: 1,
      family: 'hostile',
      change: 'two lengths',
      steps: [],
      answers: [1, 1],
      statuses: [400],
    }
    const outcome = { ...readAnswers(Buffer.from(one + one)), end: 'closed' } as const
    const checks = checkRawOutcome(script, outcome).map(({ check }) => check)
    expect(checks).toEqual(['too many answers', 'status', 'status'])
  })

  it('notices a connection that nobody ends', async () => {
    const silent: Server = createServer(() => undefined).listen(0, '127.0.0.1')
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as { port: number }
    const url = new URL(`http://127.0.0.1:${port}`)
    const outcome = await sendRaw(url, { steps: [{ write: Buffer.from('GET') }] }, 200)
    expect(outcome.end).toBe('hang')
    silent.close()
  })

  it('makes a request smaller for as long as it has the same finding', async () => {
    const failsOnTool = async (request: FuzzRequest) => ({
      answers: [],
      findings:
        'body' in request && request.body?.includes('"tool"')
          ? [{ check: 'a check', detail: '' }]
          : [],
    })
    const smallest = await shrinkRequest(COMPACT, 'a check', { run: failsOnTool })
    expect(smallest).toBe('{"messages":[{"role":"tool"}]}')
  })
})
