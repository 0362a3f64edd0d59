/**
 * The one table of error codes. HTTP status and title live here because the code is the contract;
 * `http/problem.ts` is the only place that turns a code into a response.
 * Every row has a section in docs/problems.md (a test compares them).
 */
export const ERRORS = {
  'invalid-json': { status: 400, title: 'The body is not valid JSON', retryable: false },
  'invalid-request': {
    status: 400,
    title: 'The request does not follow its schema',
    retryable: false,
  },
  unauthorized: { status: 401, title: 'A valid API key is required', retryable: false },
  'not-found': { status: 404, title: 'No such resource', retryable: false },
  'method-not-allowed': {
    status: 405,
    title: 'The resource does not take this method',
    retryable: false,
  },
  'payload-too-large': {
    status: 413,
    title: 'The body is larger than the limit',
    retryable: false,
  },
  'too-many-messages': {
    status: 413,
    title: 'The conversation has more messages than the limit',
    retryable: false,
  },
  'unsupported-media-type': {
    status: 415,
    title: 'The body must be application/json',
    retryable: false,
  },
  'unknown-format': { status: 422, title: 'The format is not known', retryable: false },
  'ambiguous-format': {
    status: 422,
    title: 'The conversation fits several formats',
    retryable: false,
  },
  'invalid-conversation': {
    status: 422,
    title: 'The conversation is not valid for its format',
    retryable: false,
  },
  'empty-conversation': {
    status: 422,
    title: 'The conversation has no messages',
    retryable: false,
  },
  'invalid-budget': { status: 422, title: 'The budget cannot be computed', retryable: false },
  'rate-limited': {
    status: 429,
    title: 'The caller has sent too much in a minute',
    retryable: true,
  },
  'client-closed-request': { status: 499, title: 'The caller went away', retryable: true },
  internal: { status: 500, title: 'An unexpected error', retryable: false },
  'upstream-unreachable': {
    status: 502,
    title: 'The upstream gave no answer',
    retryable: true,
  },
  overloaded: { status: 503, title: 'The service is shedding load', retryable: true },
  'shutting-down': { status: 503, title: 'The service is shutting down', retryable: true },
  'deadline-exceeded': { status: 503, title: 'The request ran out of time', retryable: true },
  'upstream-timeout': {
    status: 504,
    title: 'The upstream did not answer in time',
    retryable: true,
  },
} as const

export type ErrorCode = keyof typeof ERRORS

/** One place in the request that breaks a rule. */
export interface Fault {
  /** JSON Pointer (RFC 6901) into the request body; '' is the whole body. */
  readonly pointer: string
  /** Stable name of the rule that is broken. */
  readonly rule: string
  /** What is wrong and what would be right. Never contains message text. */
  readonly detail: string
}

export class PrecisError extends Error {
  override readonly name = 'PrecisError'
  readonly code: ErrorCode
  readonly faults: readonly Fault[]
  /** Seconds, for a Retry-After header. */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    detail: string,
    options: { faults?: readonly Fault[]; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.faults = options.faults ?? []
    this.retryAfter = options.retryAfter
  }
}
