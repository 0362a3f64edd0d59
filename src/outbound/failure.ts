/**
 * Why a call to another service failed. A bounded set: it is a metric label.
 *
 * - `authentication`: the key or the account behind it is refused (401, 402, 403, 407)
 * - `invalid-request`: the server does not take what was sent; sending it again changes nothing
 * - `max-tokens-exceeded`: what was sent is too large for the server
 * - `malformed-response`: a 2xx whose body is not JSON, or is larger than the bound
 * - `breaker-open`: not sent, because the server has been failing
 * - `busy`: not sent, because too many calls are running and waiting already
 * - `deadline`: the caller's time ran out; `aborted`: the caller went away
 * - `error`: a bug on this side
 */
export type OutboundFailure =
  | 'authentication'
  | 'invalid-request'
  | 'max-tokens-exceeded'
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'timeout'
  | 'network'
  | 'malformed-response'
  | 'breaker-open'
  | 'busy'
  | 'deadline'
  | 'aborted'
  | 'error'

/** What a status alone can tell. */
export type StatusFailure = Extract<
  OutboundFailure,
  | 'authentication'
  | 'invalid-request'
  | 'max-tokens-exceeded'
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'timeout'
>

/** What a status outside 2xx means where the body says nothing narrower. */
export function classifyStatus(status: number): StatusFailure {
  switch (status) {
    case 401:
    case 402:
    case 403:
    case 407:
      return 'authentication'
    case 408:
    case 504:
      return 'timeout'
    case 413:
      return 'max-tokens-exceeded'
    case 429:
      return 'rate-limit'
    case 503:
    case 529:
      return 'overloaded'
    default:
      return status >= 500 ? 'server' : 'invalid-request'
  }
}

/** Failures that may not happen again when the same request is sent a moment later. */
export function isRetryable(failure: OutboundFailure): boolean {
  return (
    failure === 'timeout' ||
    failure === 'network' ||
    failure === 'rate-limit' ||
    failure === 'overloaded' ||
    failure === 'server'
  )
}
