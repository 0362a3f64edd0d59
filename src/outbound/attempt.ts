import type { CallScope } from './call-scope.ts'
import type { OutboundFailure } from './failure.ts'
import { readRetryAfterMs } from './retry.ts'
import type { Transport, TransportResponse } from './transport.ts'

/** Narrows a status outside 2xx with what the body says. `json` is undefined when it is not JSON. */
export type ClassifyResponse = (status: number, json: unknown) => OutboundFailure

export type AttemptOutcome =
  | { readonly ok: true; readonly status: number; readonly json: unknown }
  | {
      readonly ok: false
      readonly failure: OutboundFailure
      readonly status?: number
      readonly json?: unknown
      readonly retryAfterMs?: number
    }

export interface AttemptOptions {
  readonly transport: Transport
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly scope: CallScope
  readonly timeoutMs: number
  readonly classify: ClassifyResponse
  readonly wallNow: () => number
}

/** One round trip, body included, within its own timeout and the call's. Rejects only if `classify` does. */
export async function runAttempt(options: AttemptOptions): Promise<AttemptOutcome> {
  const { scope } = options
  const controller = new AbortController()
  const abort = () => controller.abort()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    abort()
  }, options.timeoutMs)
  scope.signal.addEventListener('abort', abort, { once: true })
  if (scope.signal.aborted) abort()
  let response: TransportResponse
  try {
    response = await options.transport.post(options.body, options.headers, controller.signal)
  } catch (error) {
    const stopped = scope.stopped()
    if (stopped !== undefined) return { ok: false, failure: stopped }
    return { ok: false, failure: timedOut ? 'timeout' : classifyError(error) }
  } finally {
    clearTimeout(timer)
    scope.signal.removeEventListener('abort', abort)
  }
  return readResponse(response, options)
}

function readResponse(response: TransportResponse, options: AttemptOptions): AttemptOutcome {
  const { status } = response
  const parsed = parseJson(response.text)
  if (status >= 200 && status < 300) {
    return parsed === undefined
      ? { ok: false, failure: 'malformed-response', status }
      : { ok: true, status, json: parsed }
  }
  const retryAfterMs = readRetryAfterMs(response.headers, options.wallNow())
  return {
    ok: false,
    failure: options.classify(status, parsed),
    status,
    ...(parsed === undefined ? {} : { json: parsed }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  }
}

function parseJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON. The message of a SyntaxError quotes the text, so it goes no further.
    return undefined
  }
}

const TIMEOUT_CODES: ReadonlySet<unknown> = new Set([
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ETIMEDOUT',
])

/** Codes that say that the request could not be written at all, whoever the server is. */
const BUG_CODES: ReadonlySet<unknown> = new Set([
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
])

function classifyError(error: unknown): OutboundFailure {
  const code = typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : undefined
  if (TIMEOUT_CODES.has(code)) return 'timeout'
  return BUG_CODES.has(code) ? 'error' : 'network'
}
