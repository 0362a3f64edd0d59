/**
 * One hour of several deployments of Precis, in two minutes: a healthy one, and one for each fault. Each is
 * scraped as a namespace of its own by one Prometheus, with the shipped rules at thirty times their speed.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { stringify } from 'yaml'
import type { DecideServer } from '../../helpers/decide-servers/decide-server.ts'
import { decideVariables, WIRES } from '../../helpers/decide-wires.ts'
import { freePort } from '../../helpers/free-port.ts'
import { startLlmServer } from '../../helpers/llm-servers/start-llm-server.ts'
import { type Prometheus, startPrometheus } from '../../helpers/prometheus.ts'
import { type SampledFormat, sampleConversation } from '../../helpers/sample-conversation.ts'
import type { ServiceClient } from '../../helpers/service-client.ts'
import { type RunningService, startService } from '../../helpers/start-service.ts'
import { startServiceProcess } from '../../helpers/start-service-process.ts'
import { type SummarizerServer, startSummarizerServer } from '../../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../../helpers/summarizer-variables.ts'
import { type Callers, startCallers } from './callers.ts'
import { compressDurations, FACTOR } from './compress-durations.ts'
import { startDelayingProxy } from './delaying-proxy.ts'
import { ALERTS_FILE, RECORDING_FILE, readDeployFile } from './deploy-files.ts'

export const HOUR_SECONDS = 3_600 / FACTOR

/** Scrapes twice a minute of the script: more often would be most of the load. */
const SCRAPE_MS = 1_000
const WARM_UP_MS = 8_000

export interface ScriptedHour {
  readonly prometheus: Prometheus
  readonly close: () => Promise<void>
}

/** Deployments by namespace, and the alerts that each must raise by the end: all of them, and no other. */
export const EXPECTED_ALERTS = {
  well: [],
  gone: ['PrecisDown'],
  broken: ['PrecisDecideBreakerOpen', 'PrecisJudgementsFailOpen', 'PrecisSummariesFailing'],
  refused: ['PrecisDecideBreakerOpen', 'PrecisJudgementsFailOpen', 'PrecisModelKeyRefused'],
  slow: ['PrecisDecideSlow'],
  crowded: ['PrecisRequestsFailing', 'PrecisSaturated', 'PrecisShedding'],
  late: ['PrecisDeadlineExceeded'],
  tight: ['PrecisBudgetUnreachable'],
  upstream: ['PrecisUpstreamErrors', 'PrecisUpstreamUnreachable'],
  gateway: ['PrecisGatewayPassing'],
} as const satisfies Readonly<Record<string, readonly string[]>>

type Namespace = keyof typeof EXPECTED_ALERTS

const NO_MODELS = { PRECIS_DECIDE_WIRE: 'none' }
const FORMATS: readonly SampledFormat[] = ['openai-chat', 'anthropic-messages', 'neurolink']
const CHAT = sampleConversation('openai-chat').request
const SMALL = { format: 'openai-chat', messages: [{ role: 'user', content: 'Hello.' }] }
const TARGET_TOKENS = 2_000
/** Places of the crowded deployment, all of which are held. */
const PLACES = 20

export async function playHour(): Promise<ScriptedHour> {
  const closing: (() => Promise<void>)[] = []
  const close = async () => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const callers = startCallers()
    const targets = await startDeployments(callers, closing)
    const folder = await mkdtemp(join(tmpdir(), 'precis-hour-'))
    closing.push(() => rm(folder, { recursive: true, force: true }))
    const prometheus = await startPrometheus(await configuration(folder, targets))
    closing.push(prometheus.stop)
    // Last, and so the first to end: a service waits for those whom it is answering.
    closing.push(callers.stop)
    // Prometheus takes five seconds to find its targets.
    await sleep(WARM_UP_MS)
    callers.begin()
    await sleep(HOUR_SECONDS * 1_000 - WARM_UP_MS)
    return { prometheus, close }
  } catch (error) {
    await close()
    throw error
  }
}

type Targets = Readonly<Record<Namespace, string>>

async function configuration(folder: string, targets: Targets): Promise<string> {
  const ruleFiles = await Promise.all(
    [RECORDING_FILE, ALERTS_FILE].map(async (file, index) => {
      const path = join(folder, `rules-${index}.yml`)
      await writeFile(path, compressDurations(await readDeployFile(file)))
      return path
    }),
  )
  const shipped = compressDurations(await readDeployFile('deploy/prometheus.yml'))
  const [globals = ''] = shipped
    .replace(/scrape_interval: \w+/, `scrape_interval: ${SCRAPE_MS}ms`)
    .split(/^rule_files:/m)
  return `${globals}${stringify({
    rule_files: ruleFiles,
    scrape_configs: [
      {
        job_name: 'precis',
        static_configs: Object.entries(targets).map(([namespace, url]) => ({
          targets: [new URL(url).host],
          labels: { namespace },
        })),
      },
    ],
  })}`
}

async function startDeployments(
  callers: Callers,
  closing: (() => Promise<void>)[],
): Promise<Targets> {
  const keep = <Item extends { readonly close: () => Promise<void> }>(item: Item): Item => {
    closing.push(item.close)
    return item
  }
  const start = async (environment: Record<string, string>): Promise<RunningService> =>
    keep(await startService({ PRECIS_LOG_LEVEL: 'fatal', PRECIS_WORKERS: '0', ...environment }))
  // Several, so that there are enough of them where each takes long.
  const keepSendingSmall = (service: ServiceClient): void => {
    for (let caller = 0; caller < 4; caller += 1) {
      callers.keepDoing(1_200, () => compact(service, SMALL))
    }
  }
  const decide = keep(await WIRES.systemone.start((id) => (id === 'is_refusal' ? 0.02 : 0.05)))
  const sometimes = keep(await WIRES.systemone.start(answerLikeAModel))
  const summarizer = keep(await startSummarizerServer())
  summarizer.script({ kind: 'summary', text: GOOD_SUMMARY })
  const model = keep(await startLlmServer())

  const well = keep(
    await startServiceProcess({
      environment: {
        // Its helper waits for the line that says where it listens.
        PRECIS_LOG_LEVEL: 'info',
        ...decideVariables('systemone', sometimes.url, 2_000),
        ...summarizerVariables('openai', summarizer, 2_000),
        PRECIS_UPSTREAM_OPENAI_URL: model.origin,
      },
    }),
  )
  callers.keepDoing(250, (round) => useEverything(well, round))

  const broken = await start(await brokenModels(keep))
  callers.keepDoing(400, () => compact(broken, { targetTokens: TARGET_TOKENS }))

  const refused = await start({
    ...decideVariables('systemone', decide.url, 2_000),
    PRECIS_DECIDE_API_KEY: 'a-key-of-another-account',
  })
  callers.keepDoing(400, () => compact(refused, { targetTokens: TARGET_TOKENS }))

  const delaying = keep(await startDelayingProxy(decide.url, 3_000))
  const slow = await start(decideVariables('systemone', delaying.url, 10_000))
  for (let caller = 0; caller < 8; caller += 1) {
    callers.keepDoing(100, () => compact(slow, { targetTokens: TARGET_TOKENS }))
  }

  const crowded = await start({
    ...NO_MODELS,
    PRECIS_MAX_CONCURRENT_REQUESTS: String(PLACES),
    PRECIS_REQUEST_DEADLINE_MS: '600000',
  })
  for (let place = 0; place < PLACES; place += 1) callers.holdPlace(crowded.url, '/compact')
  keepSendingSmall(crowded)

  const late = await start({ ...NO_MODELS, PRECIS_REQUEST_DEADLINE_MS: '5000' })
  keepSendingSmall(late)
  callers.keepDoing(4_000, async () => callers.holdPlace(late.url, '/compact'))

  const tight = await start(NO_MODELS)
  callers.keepDoing(400, () => compact(tight, { targetTokens: 10 }))

  const upstream = await start(await brokenUpstreams(keep))
  callers.keepDoing(400, () => ask(upstream, '/v1/chat/completions'))
  callers.keepDoing(400, () => ask(upstream, '/v1/messages'))

  const gateway = await start(NO_MODELS)
  callers.keepDoing(400, () => post(gateway, '/v1/compress', { messages: [{ role: 'nobody' }] }))

  return {
    well: well.url,
    gone: `http://127.0.0.1:${await freePort()}`,
    broken: broken.url,
    refused: refused.url,
    slow: slow.url,
    crowded: crowded.url,
    late: late.url,
    tight: tight.url,
    upstream: upstream.url,
    gateway: gateway.url,
  }
}

type Keep = <Item extends { readonly close: () => Promise<void> }>(item: Item) => Item

async function brokenModels(keep: Keep): Promise<Record<string, string>> {
  const decide: DecideServer = keep(await WIRES.systemone.start(() => 0.05))
  decide.setFault({ status: 500 })
  const summarizer: SummarizerServer = keep(await startSummarizerServer())
  summarizer.script({ kind: 'error', status: 500 })
  return {
    ...decideVariables('systemone', decide.url, 2_000),
    ...summarizerVariables('anthropic', summarizer, 2_000),
  }
}

async function brokenUpstreams(keep: Keep): Promise<Record<string, string>> {
  const failing = keep(await startLlmServer())
  failing.setFault({ kind: 'status', status: 500 })
  return {
    ...NO_MODELS,
    PRECIS_UPSTREAM_OPENAI_URL: `http://127.0.0.1:${await freePort()}`,
    PRECIS_UPSTREAM_ANTHROPIC_URL: failing.origin,
  }
}

/** Sure of some, unsure of others. */
function answerLikeAModel(id: string): number {
  if (id === 'is_refusal') return 0.02
  const digits = Number(id.replaceAll(/\D/g, '')) || 0
  return [0.03, 0.08, 0.95, 0.6, 0.3][digits % 5] ?? 0.9
}

const post = (service: ServiceClient, path: string, body: unknown) =>
  service.send(path, { method: 'POST', body })

const compact = (service: ServiceClient, more: object) =>
  post(service, '/compact', { ...CHAT, ...more })

const ask = (service: ServiceClient, path: string) =>
  post(service, path, {
    model: 'gpt-4o',
    max_tokens: 100,
    messages: [{ role: 'user', content: 'Hello.' }],
  })

/** What a caller of every feature does, a little of each in turn. */
async function useEverything(service: ServiceClient, round: number): Promise<void> {
  const { request } = sampleConversation(FORMATS[round % FORMATS.length] ?? 'openai-chat')
  const off = { relevance: { enabled: false }, summarize: { enabled: false } }
  const turns: readonly (() => Promise<unknown>)[] = [
    () => post(service, '/compact', { ...request, targetTokens: TARGET_TOKENS }),
    () => post(service, '/compact', { ...request, targetTokens: 1_000_000 }),
    () => post(service, '/compact', { ...request, targetTokens: 1_200 }),
    () => post(service, '/compact', { ...request, targetTokens: 3_000, options: off }),
    () => post(service, '/budget', { ...request, contextWindow: 16_000 }),
    () => post(service, '/check', request),
    () => post(service, '/v1/compress', { messages: CHAT.messages, token_budget: TARGET_TOKENS }),
    () => ask(service, '/v1/chat/completions'),
    () => service.send('/v1/models'),
    () => post(service, '/compact', '{'),
  ]
  // Tens and threes share no factor: each format meets each turn.
  await turns[round % turns.length]?.()
}
