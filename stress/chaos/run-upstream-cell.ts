import { setTimeout as sleep } from 'node:timers/promises'
import { startLlmServer } from '../../test/helpers/llm-servers/start-llm-server.ts'
import { startServiceProcess } from '../../test/helpers/start-service-process.ts'
import { runCallers } from '../lib/callers.ts'
import { watchService } from '../lib/watch-service.ts'
import { type CellResult, countAll, PAUSE_MS, type Pace, RECOVERY_MS, WARM_UP_MS } from './cell.ts'
import { openLink } from './link.ts'
import { createProxiedClient, type ProxiedOutcome } from './proxied-call.ts'
import { createProxiedRequests, WINDOW, WINDOWS_ENVIRONMENT } from './proxied-requests.ts'
import type { UpstreamCell, UpstreamPromise } from './upstream-cells.ts'

/** Where silence is the fault, callers wait for the end of it; elsewhere nothing is to end by it. */
const HEADERS_TIMEOUT_MS = { ofSilence: 5_000, ofOthers: 20_000 }
/** A busy machine is no reason to send a conversation that is over its budget. */
const COMPACTION_MS = 20_000

/** Within both of these, and what a busy machine takes to come to it. */
const BOUND_MS = HEADERS_TIMEOUT_MS.ofOthers + COMPACTION_MS + 10_000
/** How long a caller takes what comes at a byte a second. */
const STAY_MS = 3_500
const SETTLE_MS = 10_000

/** Runs healthy, failing and healthy again, on a service of its own. `file`: its compiled server. */
export async function runUpstreamCell(
  cell: UpstreamCell,
  pace: Pace,
  file?: string,
): Promise<CellResult> {
  const { fault, promise } = cell
  const isSilent = promise.kind === 'problem' && promise.code === 'upstream-timeout'
  const headersTimeoutMs = HEADERS_TIMEOUT_MS[isSilent ? 'ofSilence' : 'ofOthers']
  const upstream = await startLlmServer({ contextWindow: WINDOW })
  const link = await openLink(upstream.origin, 'way' in fault ? fault.way : undefined)
  const service = await startServiceProcess({
    ...(file !== undefined && { file }),
    environment: {
      ...link.environment,
      ...WINDOWS_ENVIRONMENT,
      PRECIS_LOG_LEVEL: 'info',
      PRECIS_WORKERS: '1',
      PRECIS_DECIDE_WIRE: 'none',
      PRECIS_UPSTREAM_OPENAI_URL: link.origin,
      PRECIS_UPSTREAM_ANTHROPIC_URL: link.origin,
      PRECIS_UPSTREAM_GEMINI_URL: link.origin,
      PRECIS_UPSTREAM_HEADERS_TIMEOUT_MS: String(headersTimeoutMs),
      PRECIS_PROXY_COMPACTION_DEADLINE_MS: String(COMPACTION_MS),
    },
  })
  const watch = watchService({ url: service.url, patienceMs: pace.probeMs })
  const client = createProxiedClient(service.url)
  const direct = createProxiedClient(upstream.origin)
  const requests = createProxiedRequests(pace.callers)
  let asked = 0
  const ask = (caller: number, leaveAfterMs = BOUND_MS) => {
    asked += 1
    return client.call(requests[caller % requests.length]!, leaveAfterMs)
  }
  const phase = (seconds: number, leaveAfterMs?: number) =>
    runCallers({
      callers: pace.callers,
      seconds,
      pauseMs: PAUSE_MS,
      call: (caller) => ask(caller, leaveAfterMs),
    })

  try {
    // The first large request starts the thread; how long that takes is nobody's promise.
    await recover(WARM_UP_MS)
    const before = await phase(pace.healthySeconds)
    if ('way' in fault) await link.setFault(fault.way)
    else upstream.setFault(fault.llm)
    const references = promise.kind === 'same-answer' ? await askDirectly() : []
    const leaves = promise.kind === 'bytes-until-leaving'
    const during = await phase(pace.faultSeconds, leaves ? STAY_MS : BOUND_MS)
    upstream.setFault(undefined)
    await link.setFault(undefined)
    const recoveredMs = await recover()
    const after = await phase(pace.healthySeconds)
    const isIdle = await settles()
    const isPromised = (outcome: ProxiedOutcome) =>
      outcome.ms < BOUND_MS &&
      keeps(promise, outcome, references[requests.indexOf(outcome.request)])
    const promised = during.filter(isPromised)
    const violations = [
      ...during
        .filter((outcome) => !isPromised(outcome))
        .map((outcome) => `${show(outcome)} after ${Math.round(outcome.ms / 1_000)} s`),
      ...[...before, ...after]
        .filter((outcome) => !isHealthy(outcome))
        .map((outcome) => `healthy, but ${show(outcome)}`),
      ...(Number.isNaN(recoveredMs) ? ['it did not recover'] : []),
      ...(watch.missedProbes() === 0 ? [] : [`${watch.missedProbes()} probes missed`]),
      ...(isIdle ? [] : ['requests are left in flight']),
      ...(accepted() <= asked ? [] : ['a generation was sent twice']),
      ...(service.hasEnded() ? ['the service has ended'] : []),
    ]
    return {
      dependency: cell.dependency,
      fault: cell.name,
      requests: [before.length, during.length, after.length],
      promisedShare: promised.length / during.length,
      slowestMs: Math.max(...during.map(({ ms }) => ms)),
      seen: countAll(during.map(show)),
      breaker: '-',
      recoveredMs,
      violations: [...countAll(violations)].map(([text, count]) => `${text} (${count})`),
    }
  } finally {
    client.close()
    direct.close()
    await watch.stop()
    await service.close()
    await link.close()
    await upstream.close()
  }

  /** What was refused as too long may be sent once more, smaller. */
  function accepted(): number {
    return upstream.requests.filter(({ isOverflow }) => !isOverflow).length
  }

  async function askDirectly(): Promise<readonly ProxiedOutcome[]> {
    const answers: ProxiedOutcome[] = []
    for (const request of requests) {
      asked += 1
      answers.push(await direct.call(request, BOUND_MS))
    }
    return answers
  }

  async function recover(withinMs = RECOVERY_MS): Promise<number> {
    const endedAt = performance.now()
    while (performance.now() - endedAt < withinMs) {
      const outcomes = await Promise.all(requests.map((_, caller) => ask(caller)))
      if (outcomes.every(isHealthy)) return performance.now() - endedAt
      await sleep(PAUSE_MS)
    }
    return Number.NaN
  }

  async function settles(): Promise<boolean> {
    const giveUpAt = performance.now() + SETTLE_MS
    while (performance.now() < giveUpAt) {
      if ((await service.metrics()).sum('precis_http_requests_in_flight') === 0) return true
      await sleep(PAUSE_MS)
    }
    return false
  }
}

/** What fits went byte for byte; what does not was made to, in a way that the provider takes. */
function isHealthy({ request, status, isWhole, ...outcome }: ProxiedOutcome): boolean {
  if (status !== 200 || !isWhole || outcome.ms >= BOUND_MS) return false
  return request.isOverBudget
    ? outcome.precisOutcome === 'compacted'
    : outcome.precisOutcome === 'unchanged' && outcome.upstreamId === request.upstreamId
}

function keeps(
  promise: UpstreamPromise,
  outcome: ProxiedOutcome,
  reference: ProxiedOutcome | undefined,
): boolean {
  const { status, bytes, isWhole } = outcome
  switch (promise.kind) {
    case 'problem':
      return isWhole && status === promise.status && outcome.code === promise.code
    case 'same-answer':
      return (
        isWhole &&
        reference?.isWhole === true &&
        status === reference.status &&
        outcome.retryAfter === reference.retryAfter &&
        bytes.equals(reference.bytes)
      )
    case 'broken':
      return status === 200 && bytes.length > 0 && !isWhole && !outcome.hasLeft
    case 'bytes-until-leaving':
      return status === 200 && bytes.length > 0 && outcome.hasLeft
  }
}

function show({ status, code, isWhole, hasLeft, bytes }: ProxiedOutcome): string {
  if (status === 0) return hasLeft ? 'no answer' : 'no head'
  const end = isWhole ? '' : hasLeft ? ', bytes until the caller left' : ', broken off'
  return `${status}${code === undefined ? '' : ` ${code}`}${bytes.length === 0 ? ', empty' : ''}${end}`
}
