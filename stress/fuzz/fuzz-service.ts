import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Agent } from 'undici'
import { eventually } from '../../test/helpers/proxy/raw-client.ts'
import { createIsDocumented } from './checks/documented-statuses.ts'
import { generateRequest } from './generate-request.ts'
import { createRequestRunner, type RequestRunner } from './run-request.ts'
import { shrinkRequest } from './shrink-request.ts'
import { openStalledConnections } from './stalled-connections.ts'
import { type FuzzTarget, REQUEST_MS } from './start-target.ts'
import type { Finding, FuzzRequest } from './types.ts'

export interface FuzzOptions {
  readonly requests: number
  /** Seed of the first request; the others follow by one. */
  readonly seed: number
  readonly connections?: number
  /** What is asked for every so often. */
  readonly onProgress?: (done: number, perSecond: number) => void
  /** As soon as it is found: a run takes long. */
  readonly onFinding?: (finding: SeededFinding) => void
  /** Once it is aborted no further request is made, and the report is of those that were. */
  readonly signal?: AbortSignal
  /** Makes other requests than those of the fuzzer. */
  readonly generate?: (seed: number) => FuzzRequest
}

export interface SeededFinding extends Finding {
  readonly seed: number
  readonly family: FuzzRequest['family']
  readonly change: string
  /** Where the request could be made smaller with the same finding: the smallest body. */
  readonly smallest?: string | undefined
}

export interface FuzzReport {
  readonly findings: readonly SeededFinding[]
  readonly requests: number
  readonly seconds: number
  /** Answers by family and status; `none` where there was none. */
  readonly statuses: ReadonlyMap<string, ReadonlyMap<string, number>>
  /** Requests by what was done to them. */
  readonly changes: ReadonlyMap<string, number>
  /** Resident bytes of the service's process after each tenth of the requests. */
  readonly memory: readonly number[]
  /** Seconds of the service's process, and of the fuzzer's, upstream included. */
  readonly cpu: { readonly service: number; readonly fuzzer: number }
  /** Whether the run was long enough to say of requests that never end that the service ends them. */
  readonly sawStalledEnd: boolean
  /** The request that took longest, of all that were made at the same time. */
  readonly slowest: { readonly seed: number; readonly seconds: number }
  /** Longest time in which the fuzzer itself, and the upstream with it, did nothing else: no fault of the service. */
  readonly ownPauseSeconds: number
  readonly inFlight: number
  readonly invariantViolations: number
  readonly internalErrors: number
  readonly hasEnded: boolean
  /** What the service has logged, which is of its own faults only. */
  readonly log: string
}

const CONNECTIONS = 16
const HANG_MS = 30_000
const PROGRESS_EVERY = 2_000
const DRAIN_MS = 60_000

/** Beyond these, a fault of the service fills the screen. */
const MAX_FINDINGS = 200
const MAX_SHRUNK = 5

export async function fuzzService(target: FuzzTarget, options: FuzzOptions): Promise<FuzzReport> {
  const {
    requests,
    seed: firstSeed,
    connections = CONNECTIONS,
    generate = generateRequest,
  } = options
  const { service, upstream } = target
  const dispatcher = new Agent({ connections, headersTimeout: HANG_MS, bodyTimeout: HANG_MS })
  const document = JSON.parse((await service.send('/openapi.json')).body)
  const runner = createRequestRunner({
    url: service.url,
    upstreamUrl: upstream.origin,
    dispatcher,
    isDocumented: createIsDocumented(document),
    limitMs: HANG_MS,
  })
  const findings: SeededFinding[] = []
  const statuses = new Map<string, Map<string, number>>()
  const changes = new Map<string, number>()
  const stalled = openStalledConnections(service.url, REQUEST_MS)
  const pauses = monitorEventLoopDelay({ resolution: 100 })
  pauses.enable()
  const startedAt = performance.now()
  let next = 0
  let done = 0
  const memory: number[] = []
  let slowest = { seed: firstSeed, seconds: 0 }
  const tenth = Math.ceil(requests / 10)

  const isOver = () =>
    findings.length >= MAX_FINDINGS || service.hasEnded() || options.signal?.aborted === true

  async function work(): Promise<void> {
    while (next < requests && !isOver()) {
      const seed = firstSeed + next
      next += 1
      const request = generate(seed)
      const { family, change } = request
      const sentAt = performance.now()
      const { answers, findings: found } = await runner.run(request)
      const lasted = seconds(sentAt)
      if (lasted > slowest.seconds) slowest = { seed, seconds: lasted }
      for (const finding of found) {
        const seeded = { seed, family, change, ...finding }
        findings.push(seeded)
        options.onFinding?.(seeded)
      }
      count(changes, change === '' ? 'valid' : change)
      const byStatus = statuses.get(family) ?? new Map<string, number>()
      statuses.set(family, byStatus)
      if (answers.length === 0) count(byStatus, 'none')
      for (const { status } of answers) count(byStatus, String(status))
      done += 1
      if (done % tenth === 0) memory.push((await readMemory(target)) ?? 0)
      if (done % PROGRESS_EVERY === 0) {
        // It keeps what it was sent, for tests that want to see it.
        upstream.reset()
        options.onProgress?.(done, done / seconds(startedAt))
      }
    }
  }

  await Promise.all(Array.from({ length: connections }, work))
  const took = seconds(startedAt)
  pauses.disable()
  const stalledFindings = await stalled.end()
  const about = { seed: firstSeed, family: 'hostile', change: 'stalled' } as const
  findings.push(...(stalledFindings ?? []).map((finding) => ({ ...about, ...finding })))
  const shrunk = await shrinkFindings(findings, generate, runner)
  await dispatcher.close()
  const end = await readEnd(target)
  return {
    findings: shrunk,
    requests: done,
    seconds: took,
    statuses,
    changes,
    memory,
    slowest,
    ownPauseSeconds: pauses.max / 1e9,
    ...end,
    sawStalledEnd: stalledFindings !== undefined,
    hasEnded: service.hasEnded(),
    log: service.logText(),
  }
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function seconds(since: number): number {
  return (performance.now() - since) / 1_000
}

/** Resident bytes, as the service itself reports them. Undefined where it no longer answers. */
async function readMemory({ service }: FuzzTarget): Promise<number | undefined> {
  if (service.hasEnded()) return undefined
  return (await service.metrics()).sum('precis_process_resident_memory_bytes')
}

type End = Pick<FuzzReport, 'inFlight' | 'invariantViolations' | 'internalErrors' | 'cpu'>

/** What the service says of itself when everything has been answered. */
async function readEnd({ service }: FuzzTarget): Promise<End> {
  const { user, system } = process.cpuUsage()
  const fuzzer = (user + system) / 1e6
  if (service.hasEnded()) {
    return { inFlight: 0, invariantViolations: 0, internalErrors: 0, cpu: { service: 0, fuzzer } }
  }
  const read = async () => (await service.metrics()).sum('precis_http_requests_in_flight')
  // Callers who went away are noticed a moment later.
  await eventually(async () => (await read()) === 0, DRAIN_MS).catch(() => undefined)
  const samples = await service.metrics()
  return {
    inFlight: samples.sum('precis_http_requests_in_flight'),
    invariantViolations: samples.sum('precis_invariant_violations_total'),
    internalErrors: samples.sum('precis_http_problems_total', { code: 'internal' }),
    cpu: { service: samples.sum('precis_process_cpu_seconds_total'), fuzzer },
  }
}

/** The first finding of each kind, on the smallest request that still has it. */
async function shrinkFindings(
  findings: readonly SeededFinding[],
  generate: (seed: number) => FuzzRequest,
  runner: RequestRunner,
): Promise<SeededFinding[]> {
  const seen = new Set<string>()
  const all: SeededFinding[] = []
  for (const finding of findings) {
    const isNew = !seen.has(finding.check) && seen.size < MAX_SHRUNK
    seen.add(finding.check)
    const smallest = isNew
      ? await shrinkRequest(generate(finding.seed), finding.check, runner)
      : undefined
    all.push({ ...finding, smallest })
  }
  return all
}
