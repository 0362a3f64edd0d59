import { setTimeout as sleep } from 'node:timers/promises'
import { BREAKER_STATES } from '../../src/telemetry/metrics.ts'
import { startServiceProcess } from '../../test/helpers/start-service-process.ts'
import { runCallers } from '../lib/callers.ts'
import { watchService } from '../lib/watch-service.ts'
import {
  type CellResult,
  countAll,
  PAUSE_MS,
  type Pace,
  RECOVERY_MS,
  SILENT_SECONDS,
  WARM_UP_MS,
} from './cell.ts'
import { type CompactOutcome, createCompactClient } from './compact-call.ts'
import { createConversations, LARGE_CALLER } from './conversations.ts'
import type { ModelCell } from './model-cells.ts'
import { DEADLINE_MS, isSilence, startModelServers } from './model-servers.ts'

/** An answer that is later than this is none. */
const PATIENCE_MS = DEADLINE_MS * 2

const BREAKERS = {
  decide: 'precis_decide_breaker_state',
  summarizer: 'precis_summary_breaker_state',
} as const

/** Runs healthy, failing and healthy again, on a service of its own. `file`: its compiled server. */
export async function runModelCell(
  cell: ModelCell,
  pace: Pace,
  file?: string,
): Promise<CellResult> {
  const servers = await startModelServers(cell.dependency, cell.fault)
  const service = await startServiceProcess({
    ...(file !== undefined && { file }),
    environment: {
      ...servers.environment,
      PRECIS_LOG_LEVEL: 'info',
      // One thread for large bodies, with a breaker of its own, whatever the machine.
      PRECIS_WORKERS: '1',
    },
  })
  const client = createCompactClient(service.url, PATIENCE_MS)
  const states = new Set<number>()
  const watch = watchService({
    url: service.url,
    patienceMs: pace.probeMs,
    onScrape: (samples) => states.add(samples.sum(BREAKERS[cell.dependency])),
  })
  const conversations = createConversations(pace.callers)
  const phase = (seconds: number) =>
    runCallers({
      callers: pace.callers,
      seconds,
      pauseMs: PAUSE_MS,
      call: async (caller) => client.compact(at(conversations, caller)),
    })

  try {
    await warmUp()
    const before = await phase(pace.healthySeconds)
    states.clear()
    await servers.begin()
    const during = await phase(
      isSilence(cell.fault) ? Math.max(pace.faultSeconds, SILENT_SECONDS) : pace.faultSeconds,
    )
    const failing = new Set(states)
    await servers.end()
    const recoveredMs = await recover()
    const after = await phase(pace.healthySeconds)
    const metrics = await service.metrics()
    const finalState = metrics.sum(BREAKERS[cell.dependency])
    const everything = [...before, ...during, ...after]
    const hasOpened = failing.has(BREAKER_STATES.open) || during.some(meetsOpenBreaker)
    const isClosed = finalState === BREAKER_STATES.closed && !after.some(meetsOpenBreaker)
    const breaker = hasOpened ? `opened, then ${isClosed ? 'closed' : 'open'}` : 'stayed closed'
    const seen = countAll(during.flatMap(({ without }) => without))
    const kept = during.filter(isKept)
    const violations = [
      ...everything
        .filter((outcome) => !isKept(outcome))
        .map(({ status, ms }) => `answered ${status} after ${Math.round(ms / 1_000)} s`),
      ...everything.flatMap(({ losses }) => losses),
      ...[...before, ...after].flatMap(({ without }) =>
        without.map((text) => `healthy, but ${text}`),
      ),
      ...(Number.isNaN(recoveredMs) ? ['it did not recover'] : []),
      ...(cell.opensBreaker === hasOpened ? [] : [`the breaker ${breaker}`]),
      ...(isClosed ? [] : ['the breaker is open at the end']),
      ...cell.expected
        .filter((pattern) => ![...seen.keys()].some((text) => pattern.test(text)))
        .map((pattern) => `nothing says ${pattern.source}`),
      ...(watch.missedProbes() === 0 ? [] : [`${watch.missedProbes()} probes missed`]),
      ...(metrics.sum('precis_http_requests_in_flight') === 0
        ? []
        : ['requests are left in flight']),
      ...(metrics.sum('precis_invariant_violations_total') === 0 ? [] : ['an output was withheld']),
      ...(service.hasEnded() ? ['the service has ended'] : []),
    ]
    return {
      dependency: cell.dependency,
      fault: cell.name,
      requests: [before.length, during.length, after.length],
      promisedShare: kept.length / during.length,
      slowestMs: Math.max(...during.map(({ ms }) => ms)),
      seen,
      breaker,
      recoveredMs,
      violations: [...countAll(violations)].map(([text, count]) => `${text} (${count})`),
    }
  } finally {
    await watch.stop()
    await client.close()
    await service.close()
    await servers.close()
  }

  /** The first large conversation starts the thread; how long that takes is nobody's promise. */
  async function warmUp(): Promise<void> {
    const giveUpAt = performance.now() + WARM_UP_MS
    const large = at(conversations, LARGE_CALLER)
    while ((await client.compact(large)).status !== '200' && performance.now() < giveUpAt);
  }

  /** Until a small and a large conversation are compacted with all models at the same time. */
  async function recover(): Promise<number> {
    const endedAt = performance.now()
    const probes = [at(conversations, 0), at(conversations, LARGE_CALLER)]
    while (performance.now() - endedAt < RECOVERY_MS) {
      const outcomes = await Promise.all(probes.map((posted) => client.compact(posted)))
      if (outcomes.every((outcome) => isKept(outcome) && outcome.without.length === 0)) {
        return performance.now() - endedAt
      }
      await sleep(PAUSE_MS)
    }
    return Number.NaN
  }
}

/** The summariser's breaker has no metric; the report says when it kept a request from being sent. */
function meetsOpenBreaker({ without }: CompactOutcome): boolean {
  return without.some((text) => text.endsWith(': breaker-open'))
}

function isKept({ status, ms }: CompactOutcome): boolean {
  return status === '200' && ms <= DEADLINE_MS
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index % items.length]
  if (item === undefined) throw new RangeError('there is nothing')
  return item
}
