import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { AttemptReport } from '../../src/outbound/outbound.ts'
import {
  createSummarizer,
  type Summarizer,
  type SummarizerOptions,
} from '../../src/summarizer/summarizer.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import {
  type ScriptedAnswer,
  type ServerRules,
  type SummarizerServer,
  startSummarizerServer,
} from '../helpers/summarizer-server.ts'
import { TIMED } from '../helpers/timed.ts'

const CANARY = 'canary-7f3a the user prefers tabs'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  vi.restoreAllMocks()
  for (const close of closing.splice(0)) await close()
})

describe.each(['openai', 'anthropic'] as const)('the %s summariser', (dialect) => {
  const start = async (
    script: readonly ScriptedAnswer[] = [],
    options: Partial<SummarizerOptions> = {},
    rules: Partial<ServerRules> = {},
  ): Promise<{ server: SummarizerServer; summarizer: Summarizer }> => {
    const server = await startSummarizerServer(rules)
    server.script(...script)
    const summarizer = createSummarizer({
      dialect,
      url: dialect === 'openai' ? server.openaiUrl : server.anthropicUrl,
      apiKey: server.rules.apiKey,
      model: server.rules.model,
      timeoutMs: 5_000,
      maxInputTokens: 50_000,
      maxOutputTokens: 2_000,
      ...options,
    })
    closing.push(summarizer.close, server.close)
    return { server, summarizer }
  }

  const summarize = (
    summarizer: Summarizer,
    { signal = new AbortController().signal, input = CANARY } = {},
  ) => summarizer.summarize({ instructions: 'Write a summary.', input, signal })

  const success = (text: string, changes: object = {}) => ({
    ok: true,
    text,
    model: 'test-model',
    toolCalls: false,
    refused: false,
    truncated: false,
    latencyMs: expect.any(Number),
    ...changes,
  })

  const failed = (failure: string) => ({ ok: false, failure, latencyMs: expect.any(Number) })

  it('says what it is', async () => {
    const { summarizer } = await start()
    expect(summarizer).toMatchObject({ model: 'test-model', maxInputTokens: 50_000 })
  })

  it('brings back the summary of a server that checks every member and header it is sent', async () => {
    const { server, summarizer } = await start([{ kind: 'summary', text: 'The summary.' }])
    expect(await summarize(summarizer)).toEqual(success('The summary.'))
    expect(server.requests).toHaveLength(1)
  })

  it('sends no tools, no sampling parameters and asks for no stream', async () => {
    const { server, summarizer } = await start()
    await summarize(summarizer)
    expect(Object.keys(server.requests[0]?.body ?? {}).sort()).toEqual(
      dialect === 'openai'
        ? ['max_completion_tokens', 'messages', 'model', 'stream']
        : ['max_tokens', 'messages', 'model', 'stream', 'system'],
    )
    expect(server.requests[0]?.body).toMatchObject({ stream: false })
  })

  it.each<[string, ScriptedAnswer, object]>([
    ['parts', { kind: 'parts', texts: ['The ', 'summary.'] }, success('The summary.')],
    ['nothing', { kind: 'empty' }, success('')],
    ['a tool call alone', { kind: 'tool-call' }, success('', { toolCalls: true })],
    [
      'a tool call beside text',
      { kind: 'tool-call', text: 'Let me look.' },
      success('Let me look.', { toolCalls: true }),
    ],
    [
      'a refusal with a reason',
      { kind: 'refusal', explanation: 'I cannot help with that.', fragment: 'The us' },
      success(dialect === 'openai' ? 'I cannot help with that.' : '', { refused: true }),
    ],
    [
      'a refusal without a word',
      { kind: 'refusal' },
      success('', { refused: dialect === 'anthropic' }),
    ],
    [
      'a fragment that a filter left',
      { kind: 'filtered', fragment: 'The user wan' },
      success('', { refused: true }),
    ],
    [
      'reasoning alone, until the output ran out',
      { kind: 'reasoning-only', text: 'Let me think about what the user wanted.' },
      success('', { truncated: true }),
    ],
    [
      'a text that the output limit cut',
      { kind: 'length-stopped', text: 'The summ' },
      success('The summ', { truncated: true }),
    ],
  ])('reports an answer that is %s as what it is', async (_, answer, expected) => {
    const { summarizer } = await start([answer])
    expect(await summarize(summarizer)).toEqual(expected)
  })

  it('brings a 200 KB summary back whole, for the checks to refuse', async () => {
    const text = 'Résumé of everything. '.repeat(9_310)
    const { summarizer } = await start([{ kind: 'summary', text }])
    expect(await summarize(summarizer)).toEqual(success(text))
  })

  it.each([
    [400, 'invalid-request', 1],
    [401, 'authentication', 1],
    [403, 'authentication', 1],
    [404, 'invalid-request', 1],
    [413, 'max-tokens-exceeded', 1],
    [429, 'rate-limit', 2],
    [500, 'server', 2],
    [503, 'overloaded', 2],
    [529, 'overloaded', 2],
  ] as const)('answers a %i with %s after %i request(s)', async (status, failure, requests) => {
    const { server, summarizer } = await start([{ kind: 'error', status, retryAfter: '0' }])
    expect(await summarize(summarizer)).toEqual(failed(failure))
    expect(server.requests).toHaveLength(requests)
  })

  it('tries once more after a failure that passes', async () => {
    const { server, summarizer } = await start([
      { kind: 'error', status: 529, retryAfter: '0' },
      { kind: 'summary', text: 'The summary.' },
    ])
    expect(await summarize(summarizer)).toEqual(success('The summary.'))
    expect(server.requests).toHaveLength(2)
  })

  it('does not wait for a server that wants to be left alone for a minute', async () => {
    const { server, summarizer } = await start([
      { kind: 'error', status: 429, retryAfter: '60' },
      { kind: 'summary', text: 'Too late.' },
    ])
    expect(await summarize(summarizer)).toEqual(failed('rate-limit'))
    expect(server.requests).toHaveLength(1)
  })

  it.each([true, false])(
    'knows that the prompt was too long, whether the error has a code (%s) or only prose',
    async (structuredErrors) => {
      const { server, summarizer } = await start([], {}, { contextTokens: 100, structuredErrors })
      const result = await summarize(summarizer, { input: 'word '.repeat(200) })
      expect(result).toEqual(failed('max-tokens-exceeded'))
      expect(server.requests).toHaveLength(1)
    },
  )

  it(
    'gives up on a server that hangs after its timeout, retry included, and hangs up',
    TIMED,
    async () => {
      const { server, summarizer } = await start([{ kind: 'hang' }], { timeoutMs: 250 })
      const started = performance.now()
      expect(await summarize(summarizer)).toEqual(failed('timeout'))
      expect(performance.now() - started).toBeLessThan(1_000)
      expect(server.requests).toHaveLength(1)
      expect(await server.requests[0]?.aborted).toBe(true)
    },
  )

  it('does not spend a second timeout on the retry', TIMED, async () => {
    const { server, summarizer } = await start(
      [{ kind: 'error', status: 500, retryAfter: '0' }, { kind: 'hang' }],
      { timeoutMs: 600 },
    )
    const started = performance.now()
    expect(await summarize(summarizer)).toEqual(failed('timeout'))
    expect(performance.now() - started).toBeLessThan(1_100)
    expect(server.requests).toHaveLength(2)
  })

  it('gives up on a server that drips', TIMED, async () => {
    const { server, summarizer } = await start([{ kind: 'drip', everyMs: 40 }], { timeoutMs: 300 })
    const started = performance.now()
    expect(await summarize(summarizer)).toEqual(failed('timeout'))
    expect(performance.now() - started).toBeLessThan(1_000)
    expect(await server.requests[0]?.aborted).toBe(true)
  })

  it('ends at once as aborted when the caller goes away, and hangs up', TIMED, async () => {
    const { server, summarizer } = await start([{ kind: 'hang' }])
    const controller = new AbortController()
    const pending = summarize(summarizer, { signal: controller.signal })
    await eventually(() => server.requests.length === 1)
    const aborted = performance.now()
    controller.abort()
    expect(await pending).toEqual(failed('aborted'))
    expect(performance.now() - aborted).toBeLessThan(500)
    expect(await server.requests[0]?.aborted).toBe(true)
  })

  it("names the caller's deadline a deadline", TIMED, async () => {
    const { summarizer } = await start([{ kind: 'hang' }])
    const started = performance.now()
    expect(await summarize(summarizer, { signal: AbortSignal.timeout(150) })).toEqual(
      failed('deadline'),
    )
    expect(performance.now() - started).toBeLessThan(1_000)
  })

  it('sends nothing for a caller who has already gone', async () => {
    const { server, summarizer } = await start()
    expect(await summarize(summarizer, { signal: AbortSignal.abort() })).toEqual(failed('aborted'))
    expect(server.requests).toHaveLength(0)
  })

  it.each<[string, ScriptedAnswer]>([
    ['before the answer', { kind: 'reset' }],
    ['in the middle of the answer', { kind: 'reset', afterBytes: 20 }],
  ])('tries once more when the connection is cut %s', async (_, fault) => {
    const { server, summarizer } = await start([fault])
    expect(await summarize(summarizer)).toEqual(failed('network'))
    expect(server.requests).toHaveLength(2)
  })

  it.each<[string, ScriptedAnswer]>([
    ['HTML', { kind: 'garbage' }],
    ['half a JSON document', { kind: 'truncated-json' }],
    ['JSON that is no answer', { kind: 'raw', status: 200, body: '{"hello":"world"}' }],
    ['a JSON null', { kind: 'raw', status: 200, body: 'null' }],
    ['an empty body', { kind: 'raw', status: 200, body: '' }],
  ])('calls a 200 with %s malformed', async (_, fault) => {
    const { summarizer } = await start([fault])
    expect(await summarize(summarizer)).toEqual(failed('malformed-response'))
  })

  it('reads the failure that a router puts into a 200', async () => {
    const body = '{"error":{"code":503,"message":"No provider has capacity."}}'
    const { summarizer } = await start([{ kind: 'raw', status: 200, body }])
    expect(await summarize(summarizer)).toEqual(failed('overloaded'))
  })

  it('leaves a server alone that refuses its key', async () => {
    const { server, summarizer } = await start([], { apiKey: 'wrong' })
    expect(await summarize(summarizer)).toEqual(failed('authentication'))
    expect(await summarize(summarizer)).toEqual(failed('breaker-open'))
    expect(server.requests).toHaveLength(1)
  })

  it('reports a server that is not there as a network failure', async () => {
    const { server, summarizer } = await start()
    await server.close()
    expect(await summarize(summarizer)).toEqual(failed('network'))
  })

  it('repairs half characters, which providers refuse', async () => {
    const { server, summarizer } = await start([{ kind: 'summary', text: 'The summary.' }])
    expect(await summarize(summarizer, { input: 'cut \ud83d here, whole 🙂' })).toEqual(
      success('The summary.'),
    )
    expect(server.requests[0]?.body?.messages).toContainEqual({
      role: 'user',
      content: 'cut \ufffd here, whole 🙂',
    })
  })

  it('writes no more summaries at a time than it may', async () => {
    const { server, summarizer } = await start(
      [{ kind: 'hang' }, { kind: 'summary', text: 'The second.' }],
      { maxConcurrency: 1 },
    )
    const controller = new AbortController()
    const first = summarize(summarizer, { signal: controller.signal })
    const second = summarize(summarizer)
    await eventually(() => server.requests.length === 1)
    await delay(100)
    expect(server.requests).toHaveLength(1)
    controller.abort()
    expect(await Promise.all([first, second])).toEqual([failed('aborted'), success('The second.')])
  })

  it('ends what is being written when it is closed', async () => {
    const { server, summarizer } = await start([{ kind: 'hang' }])
    const pending = summarize(summarizer)
    await eventually(() => server.requests.length === 1)
    await summarizer.close()
    expect(await pending).toEqual(failed('aborted'))
    expect(await summarize(summarizer)).toEqual(failed('aborted'))
  })

  it('shows its observer each attempt, and nobody a text', async () => {
    const reports: AttemptReport[] = []
    const printed = [
      vi.spyOn(process.stdout, 'write').mockReturnValue(true),
      vi.spyOn(process.stderr, 'write').mockReturnValue(true),
      vi.spyOn(console, 'log').mockReturnValue(),
      vi.spyOn(console, 'error').mockReturnValue(),
      vi.spyOn(console, 'warn').mockReturnValue(),
    ]
    const { summarizer } = await start(
      [
        { kind: 'error', status: 500, retryAfter: '0' },
        { kind: 'raw', status: 400, body: JSON.stringify({ error: { message: CANARY } }) },
      ],
      { observer: { onAttempt: (report) => reports.push(report) } },
    )
    const result = await summarize(summarizer)
    const calls = printed.map((spy) => spy.mock.calls)
    vi.restoreAllMocks()
    expect(result).toEqual(failed('invalid-request'))
    expect(reports).toEqual([
      { outcome: 'server', status: 500, latencyMs: expect.any(Number) },
      { outcome: 'invalid-request', status: 400, latencyMs: expect.any(Number) },
    ])
    expect(JSON.stringify([result, reports, calls])).not.toContain('canary')
  })
})

it('refuses a URL that it cannot use when it is made, not when it is needed', () => {
  expect(() =>
    createSummarizer({
      dialect: 'openai',
      url: '/v1/chat/completions',
      model: 'test-model',
      timeoutMs: 1_000,
      maxInputTokens: 1_000,
      maxOutputTokens: 100,
    }),
  ).toThrow(TypeError)
})
