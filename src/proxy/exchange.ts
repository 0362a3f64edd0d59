/** One proxied request: prepared, sent, sent again where it was too long, and the answer. */
import { setImmediate } from 'node:timers/promises'
import type { Metrics } from '../telemetry/metrics.ts'
import type { RawHeaders } from './hop-by-hop.ts'
import type { UpstreamResult } from './names.ts'
import type { ProxyNote } from './note.ts'
import { findOverflow } from './overflow/find-overflow.ts'
import type { BodyStart } from './overflow/read-start.ts'
import { mayBeOverflow } from './overflow/recognise.ts'
import type { Prepare, PrepareCall, Prepared } from './prepared.ts'
import { headersForNewBody, headersForSameBody } from './request-headers.ts'
import type { Upstream, UpstreamAnswer } from './upstream.ts'
import { UpstreamError } from './upstream-error.ts'

export interface ExchangeCall extends Omit<PrepareCall, 'encoding'> {
  readonly method: string
  readonly url: string
  /** Names and values in turn, as they came. */
  readonly headers: RawHeaders
  /** The same, one of them. */
  readonly encoding: string | undefined
  /** Told as soon as it is known, for failures after it. */
  readonly onNote: (note: ProxyNote) => void
}

export interface Exchanged {
  readonly answer: UpstreamAnswer
  /** What was read of its body. */
  readonly start?: BodyStart
  readonly note: ProxyNote
  readonly isRetry: boolean
}

export interface ExchangeOptions {
  readonly upstream: Upstream
  readonly prepare: Prepare
  readonly metrics: Metrics
}

/** Throws UpstreamError where there is no answer, and what preparing throws when the caller leaves. */
export async function exchange(call: ExchangeCall, options: ExchangeOptions): Promise<Exchanged> {
  const { upstream, prepare, metrics } = options
  const { name } = upstream
  const startedAt = performance.now()
  const prepared = await prepare(call)
  metrics.proxyPreparation.observe({ upstream: name }, (performance.now() - startedAt) / 1_000)
  const sending = send(prepared, call, options)
  const note = await noteOf(prepared, sending)
  call.onNote(note)
  const answer = await sending
  const first: Exchanged = { answer, note, isRetry: false }
  const { harder } = prepared
  if (harder === undefined) return first
  const { start, overflow } = await findOverflow(answer, prepared.mayBeTooLong === true)
  const refused: Exchanged = start === undefined ? first : { ...first, start }
  if (overflow === undefined) return refused
  const again = await harder(overflow)
  if (again === undefined) {
    metrics.proxyOverflows.inc({ upstream: name, result: 'not-smaller' })
    return refused
  }
  try {
    const second = await send(again, call, options)
    const result = mayBeOverflow(second.status) ? 'repeated' : 'recovered'
    answer.body.destroy()
    metrics.proxyOverflows.inc({ upstream: name, result })
    call.onNote(again.note)
    return { answer: second, note: again.note, isRetry: true }
  } catch (error) {
    if (call.signal.aborted) throw error
    metrics.proxyOverflows.inc({ upstream: name, result: 'lost' })
    return refused
  }
}

async function noteOf(prepared: Prepared, sending: Promise<unknown>): Promise<ProxyNote> {
  if (prepared.count === undefined) return prepared.note
  // Whoever waits for it comes after the counting, and the failure may come before.
  sending.catch(() => {})
  await setImmediate()
  return prepared.count()
}

async function send(
  { body, isRewritten }: Prepared,
  { method, url, headers, signal }: ExchangeCall,
  { upstream, metrics }: ExchangeOptions,
): Promise<UpstreamAnswer> {
  const count = (result: UpstreamResult) =>
    metrics.proxyUpstream.inc({ upstream: upstream.name, result })
  const sentAt = performance.now()
  try {
    const answer = await upstream.send({
      method,
      path: url,
      headers: isRewritten ? headersForNewBody(headers) : headersForSameBody(headers),
      body,
      signal,
    })
    const seconds = (performance.now() - sentAt) / 1_000
    metrics.proxyTimeToHead.observe({ upstream: upstream.name }, seconds)
    count(`${Math.min(5, Math.floor(answer.status / 100))}xx` as UpstreamResult)
    return answer
  } catch (error) {
    if (error instanceof UpstreamError) count(error.failure)
    throw error
  }
}
