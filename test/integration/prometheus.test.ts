/** What a real Prometheus says about a service, after requests whose outcome is known. */
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { DecideServer } from '../helpers/decide-servers/decide-server.ts'
import { decideVariables, WIRES } from '../helpers/decide-wires.ts'
import { hasPrometheus, type Prometheus, startPrometheus } from '../helpers/prometheus.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import type { CompactAnswer } from '../helpers/service-answers.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'

const isThere = hasPrometheus()
if (!isThere) console.warn('SKIPPED: no prometheus to run. Debian: apt-get install prometheus')

// In CI a missing Prometheus is a failure: there it must not be skipped in silence.
const enabled = isThere || Boolean(process.env.CI)

const TARGET_TOKENS = 2_000
/** Also the time that a scrape may take: after one that fails there is nothing to ask about until the next. */
const SCRAPE_MS = 2_000

/** P(needed), in the order of the messages: two in ten go, and six in ten have a confidence of 0.85. */
const PROBABILITIES = [0.03, 0.925, 0.925, 0.65, 0.925, 0.03, 0.925, 0.65, 0.925, 0.925]
const MEDIAN_BUCKET = { above: 0.8, upTo: 0.9 }

const answers: CompactAnswer[] = []
const closing: (() => Promise<void>)[] = []
let decide: DecideServer
let service: RunningService
let prometheus: Prometheus

/** Everything twice, so that rates have two points to lie between. */
beforeAll(async () => {
  if (!enabled) return
  const sample = sampleConversation('openai-chat')
  decide = await WIRES.systemone.start((id) => {
    const place = sample.eligible.indexOf(Number(id.slice('msg__'.length)))
    if (id === 'is_refusal') return 0.02
    return PROBABILITIES[place % PROBABILITIES.length] ?? 0.95
  })
  const summarizer = await startSummarizerServer()
  summarizer.script({ kind: 'summary', text: GOOD_SUMMARY }, { kind: 'empty' })
  service = await startService({
    ...decideVariables('systemone', decide.url, 2_000),
    ...summarizerVariables('openai', summarizer, 2_000),
    PRECIS_OPTION_SUMMARIZE_ENABLED: 'false',
  })
  closing.push(decide.close, summarizer.close, service.close)
  prometheus = await startPrometheus(await shippedConfiguration(service.url))
  closing.push(prometheus.stop)
  for (const round of [1, 2]) {
    await makeRequests()
    await untilScraped(round)
  }
}, 90_000)

afterAll(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** deploy/prometheus.yml, pointed at this service, and in a hurry. */
async function shippedConfiguration(url: string): Promise<string> {
  const file = new URL('../../deploy/prometheus.yml', import.meta.url)
  const text = await readFile(file, 'utf8')
  const config = text
    .replaceAll('precis:8081', new URL(url).host)
    .replace(/scrape_interval: \w+/, `scrape_interval: ${SCRAPE_MS}ms`)
  expect(config).toContain(new URL(url).host)
  expect(config).toContain(`${SCRAPE_MS}ms`)
  return config
}

/** One of each outcome, and every stage that drops. */
async function makeRequests(): Promise<void> {
  const chat = sampleConversation('openai-chat').request
  const messages = sampleConversation('anthropic-messages').request
  const events = sampleConversation('neurolink').request
  const off = { relevance: { enabled: false } }
  const requests = [
    { ...chat, targetTokens: TARGET_TOKENS },
    { ...chat, targetTokens: 1_000_000 },
    { ...chat, targetTokens: 50 },
    { ...messages, targetTokens: 3_500, options: off },
    { ...events, targetTokens: TARGET_TOKENS, options: { ...off, collapse: { enabled: true } } },
    { ...events, targetTokens: TARGET_TOKENS, options: { ...off, summarize: { enabled: true } } },
  ]
  for (const body of requests) answers.push(await service.ask<CompactAnswer>('/compact', body))
  decide.faultNext({ status: 422 })
  answers.push(
    await service.ask<CompactAnswer>('/compact', { ...chat, targetTokens: TARGET_TOKENS }),
  )
  await service.send('/compact', { method: 'POST', body: '{' })
}

/** Rounds end in a refused request, so its count tells that all before it has been scraped. */
async function untilScraped(round: number): Promise<void> {
  await vi.waitFor(
    async () => {
      const refused = await prometheus.query('precis_http_problems_total{code="invalid-json"}')
      expect(refused).toMatchObject([{ value: round }])
    },
    { timeout: 20_000, interval: 200 },
  )
}

function tally<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  countOf: (item: Item) => number = () => 1,
): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const item of items) {
    const count = countOf(item)
    if (count > 0) counts[keyOf(item)] = (counts[keyOf(item)] ?? 0) + count
  }
  return counts
}

describe.runIf(enabled)('a Prometheus that scrapes the service', () => {
  test('sees that it is up', async () => {
    expect(await prometheus.queryBy('job', 'up')).toEqual({ precis: 1 })
  })

  test('counts the messages that each stage has dropped, as the reports did', async () => {
    const stages = answers.flatMap((answer) => answer.stages)
    const reported = tally(
      stages,
      ({ stage }) => stage,
      ({ dropped }) => dropped,
    )
    expect(Object.keys(reported).sort()).toEqual(['collapse', 'relevance', 'summarize', 'truncate'])
    const query = 'sum by (stage) (precis_messages_dropped_total)'
    expect(await prometheus.queryBy('stage', query)).toEqual(reported)

    const dropped = answers
      .flatMap(({ actions }) => actions)
      .filter(({ action }) => action === 'dropped')
    const reasons = 'sum by (reason) (precis_messages_dropped_total) > 0'
    expect(await prometheus.queryBy('reason', reasons)).toEqual(
      tally(dropped, ({ reason }) => reason),
    )
  })

  test('knows the median confidence of the relevance answers', async () => {
    const bucket = 'sum by (le) (precis_confidence_bucket{question="relevance"})'
    const [median] = await prometheus.query(`histogram_quantile(0.5, ${bucket})`)
    expect(median?.value).toBeGreaterThan(MEDIAN_BUCKET.above)
    expect(median?.value).toBeLessThanOrEqual(MEDIAN_BUCKET.upTo)
    const asked = answers.reduce((sum, { relevance }) => sum + (relevance?.answered ?? 0), 0)
    const count = 'sum(precis_confidence_count{question="relevance"})'
    expect(await prometheus.query(count)).toMatchObject([{ value: asked }])
  })

  test('counts compactions by format and outcome, and tokens', async () => {
    const outcomes = 'sum by (outcome) (precis_compactions_total) > 0'
    const byOutcome = tally(answers, ({ outcome }) => outcome)
    expect(Object.keys(byOutcome).sort()).toEqual(['compacted', 'unchanged'])
    expect(await prometheus.queryBy('outcome', outcomes)).toEqual(byOutcome)
    const formats = 'sum by (format) (precis_compactions_total) > 0'
    expect(await prometheus.queryBy('format', formats)).toEqual(
      tally(answers, ({ format }) => format),
    )
    const saved = 'sum by (format) (precis_tokens_saved_total)'
    expect(await prometheus.queryBy('format', saved)).toEqual(
      tally(
        answers,
        ({ format }) => format,
        ({ tokensSaved }) => tokensSaved,
      ),
    )
    expect(await prometheus.query('precis_budget_unreachable_total')).toMatchObject([
      { value: answers.filter(({ fits }) => !fits).length },
    ])
  })

  test('names what failed open, and what became of the summaries', async () => {
    const failed = await prometheus.query('precis_fail_open_total > 0')
    expect(failed).toMatchObject([
      { metric: { site: 'relevance', reason: 'invalid-request' }, value: 2 },
    ])
    expect(await prometheus.queryBy('verdict', 'precis_summaries_total > 0')).toEqual({
      accepted: 1,
      'rejected-by-check': 1,
    })
  })

  test('understands every query of docs/operations.md, and has an answer', async () => {
    const file = new URL('../../docs/operations.md', import.meta.url)
    const documented = [...(await readFile(file, 'utf8')).matchAll(/\? \| `(.+)` \|$/gm)]
    expect(documented.length).toBeGreaterThanOrEqual(5)
    for (const [, query = ''] of documented) {
      expect(await prometheus.query(query), query).not.toEqual([])
    }
  })
})
