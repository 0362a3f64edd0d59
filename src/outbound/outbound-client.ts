import { type AttemptOutcome, runAttempt } from './attempt.ts'
import { type CallScope, openCallScope } from './call-scope.ts'
import { type BreakerTicket, type BreakerVerdict, createCircuitBreaker } from './circuit-breaker.ts'
import { classifyStatus, isRetryable } from './failure.ts'
import { createLimiter } from './limiter.ts'
import type { OutboundClient, OutboundClientOptions, OutboundResult } from './outbound.ts'
import { backoffMs, sleep } from './retry.ts'
import { createTransport } from './transport.ts'

/**
 * An HTTP client for one URL of a service that may be slow, down or wrong: kept connections, bounded
 * concurrency, timeouts, one retry, a circuit breaker, and one deadline over all of it. Knows nothing
 * of what is sent.
 *
 * @throws TypeError when the URL is not usable
 */
export function createOutboundClient(options: OutboundClientOptions): OutboundClient {
  const timeoutMs = options.timeoutMs ?? 5_000
  const longAttemptMs = options.longAttemptMs ?? timeoutMs / 2
  const maxConcurrency = options.maxConcurrency ?? 8
  const maxRetries = options.maxRetries ?? 1
  const maxRetryAfterMs = options.maxRetryAfterMs ?? 10_000
  const random = options.random ?? Math.random
  const now = options.now ?? (() => performance.now())
  const wallNow = options.wallNow ?? Date.now
  const classify = options.classify ?? classifyStatus
  const { observer } = options

  const transport = createTransport({
    url: options.url,
    connections: maxConcurrency,
    connectTimeoutMs: options.connectTimeoutMs ?? Math.min(2_000, timeoutMs),
    idleTimeoutMs: timeoutMs,
    maxResponseBytes: options.maxResponseBytes ?? 4 * 1024 * 1024,
    trace: options.trace ?? { name: 'call', attributes: {} },
  })
  const limiter = createLimiter({
    maxConcurrency,
    maxQueue: options.maxQueue ?? 64,
    maxWaitMs: options.maxWaitMs ?? timeoutMs,
  })
  const breaker = createCircuitBreaker({
    now,
    failureThreshold: options.breakerThreshold ?? 5,
    openMs: options.breakerOpenMs ?? 10_000,
    refusedOpenMs: options.breakerRefusedOpenMs ?? 300_000,
    onState: (state) => quietly(() => observer?.onBreaker?.(state)),
  })
  const baseHeaders = { 'content-type': 'application/json', ...options.headers }
  const scopes = new Set<CallScope>()
  let closed = false

  const attempt = async (
    body: string,
    headers: Readonly<Record<string, string>>,
    scope: CallScope,
    ticket: BreakerTicket,
  ): Promise<AttemptOutcome> => {
    const started = now()
    const outcome = await runAttempt({
      transport,
      body,
      headers,
      scope,
      timeoutMs,
      classify,
      wallNow,
    }).catch((): AttemptOutcome => ({ ok: false, failure: 'error' }))
    const latencyMs = now() - started
    ticket.report(
      judge(outcome, latencyMs >= longAttemptMs),
      outcome.ok ? undefined : outcome.retryAfterMs,
    )
    quietly(() =>
      observer?.onAttempt?.({
        outcome: outcome.ok ? 'ok' : outcome.failure,
        ...(outcome.status === undefined ? {} : { status: outcome.status }),
        latencyMs,
      }),
    )
    return outcome
  }

  /** Runs the attempts of one call; `count` is told of each, so that a bug does not lose the number. */
  const converse = async (
    body: string,
    headers: Readonly<Record<string, string>>,
    scope: CallScope,
    count: () => void,
  ): Promise<AttemptOutcome> => {
    let last: AttemptOutcome | undefined
    for (let retry = 0; ; retry += 1) {
      const ticket = breaker.enter()
      if (ticket === undefined) return last ?? { ok: false, failure: 'breaker-open' }
      count()
      last = await attempt(body, headers, scope, ticket)
      if (last.ok || retry >= maxRetries || !isRetryable(last.failure)) return last
      const pauseMs = last.retryAfterMs ?? backoffMs(retry, random)
      // A wait that cannot be followed by an attempt would only make the caller late.
      if (pauseMs > maxRetryAfterMs || pauseMs >= scope.remainingMs()) return last
      if (!(await sleep(pauseMs, scope.signal))) {
        return { ok: false, failure: scope.stopped() ?? 'aborted' }
      }
    }
  }

  const queueAndConverse = async (
    body: unknown,
    headers: Readonly<Record<string, string>> | undefined,
    scope: CallScope,
    count: () => void,
  ): Promise<AttemptOutcome> => {
    const stopped = scope.stopped()
    if (stopped !== undefined) return { ok: false, failure: stopped }
    if (breaker.refuses()) return { ok: false, failure: 'breaker-open' }
    const text = JSON.stringify(body)
    const slot = await limiter.acquire(scope.signal)
    if (slot === 'busy') return { ok: false, failure: 'busy' }
    if (slot === 'stopped') return { ok: false, failure: scope.stopped() ?? 'aborted' }
    try {
      return await converse(text, { ...baseHeaders, ...headers }, scope, count)
    } finally {
      slot()
    }
  }

  return {
    send: async (body, call = {}) => {
      const started = now()
      const scope = openCallScope({ signal: call.signal, deadlineAt: call.deadlineAt, now })
      scopes.add(scope)
      if (closed) scope.stop('aborted')
      let attempts = 0
      try {
        const outcome = await queueAndConverse(body, call.headers, scope, () => {
          attempts += 1
        })
        return finish(outcome, attempts, now() - started)
      } catch {
        // Only a bug comes here, such as a body that JSON cannot hold; its message may quote the body.
        return { ok: false, failure: 'error', attempts, latencyMs: now() - started }
      } finally {
        scope.close()
        scopes.delete(scope)
      }
    },
    breakerState: breaker.state,
    close: async () => {
      closed = true
      for (const scope of scopes) scope.stop('aborted')
      await transport.close()
    },
  }
}

/**
 * @param long the attempt took at least half of what it could: a caller with a short deadline still
 * learns something about a server that hangs
 */
function judge(outcome: AttemptOutcome, long: boolean): BreakerVerdict {
  if (outcome.ok) return 'healthy'
  const { failure } = outcome
  if (failure === 'authentication') return 'refused'
  if (isRetryable(failure)) return 'failing'
  if (failure === 'deadline') return long ? 'failing' : 'neutral'
  if (failure === 'aborted' || failure === 'error') return 'neutral'
  // The server is well and says that the request is not.
  return 'healthy'
}

/** Who watches must not be able to lose an answer. */
function quietly(notify: () => void): void {
  try {
    notify()
  } catch {
    // The watcher's own trouble.
  }
}

function finish(outcome: AttemptOutcome, attempts: number, latencyMs: number): OutboundResult {
  if (outcome.ok) {
    return { ok: true, json: outcome.json, status: outcome.status, attempts, latencyMs }
  }
  return {
    ok: false,
    failure: outcome.failure,
    ...(outcome.status === undefined ? {} : { status: outcome.status }),
    ...(outcome.json === undefined ? {} : { json: outcome.json }),
    attempts,
    latencyMs,
  }
}
