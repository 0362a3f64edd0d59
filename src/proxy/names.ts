/** APIs that the proxy speaks, by who made them; other servers of the same API go under its name. */
export const UPSTREAM_NAMES = ['openai', 'anthropic', 'gemini'] as const
export type UpstreamName = (typeof UPSTREAM_NAMES)[number]

/** What became of a proxied request, as the header `x-precis-outcome` and metrics say it. */
export const PROXY_OUTCOMES = [
  /** Looked at and found within its budget, or not to be made smaller: sent as it came. */
  'unchanged',
  'compacted',
  /** Made smaller, and still over its budget. */
  'partial',
  /** The caller asked for it with `x-precis-bypass`. */
  'bypassed',
  /** Not understood, or not in time: sent as it came. */
  'passed',
] as const
export type ProxyOutcome = (typeof PROXY_OUTCOMES)[number]

/** Why a request was sent as it came, or over its budget, as `x-precis-reason` says it. */
export const PROXY_REASONS = [
  /** The call makes no text from a conversation: counting, models, files, embeddings. */
  'not-generation',
  /** Not JSON, not UTF-8, or nested deeper or of more values than the service takes; multipart, for example. */
  'not-json',
  /** A content-encoding that is not known, is broken, or unpacks to more than the body limit. */
  'content-encoding',
  /** JSON in which the conversation of this API is missing or not valid. */
  'other-format',
  /** It goes on from a conversation that the provider has stored: most of the prompt is not in it. */
  'held-by-provider',
  'too-many-messages',
  /** Neither the model's window is known nor a target given. */
  'unknown-model',
  /** The numbers of the request leave no budget: an answer as long as the window. */
  'invalid-budget',
  /** Compaction took longer than the time it has. */
  'deadline',
  /** No room to unpack the body just now, or too many wait for a thread. */
  'busy',
  /** The edited conversation would have broken a rule of its format. */
  'withheld',
  /** Over its budget, and what may not go is larger than that. */
  'budget-unreachable',
  /** A bug. */
  'failed',
] as const
export type ProxyReason = (typeof PROXY_REASONS)[number]

/** What came of the request that was sent to the upstream. */
export const UPSTREAM_RESULTS = [
  '1xx',
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  /** No connection, or broken before the head of an answer. */
  'unreachable',
  /** No head in time. */
  'timeout',
  /** The caller went away before the head. */
  'aborted',
] as const
export type UpstreamResult = (typeof UPSTREAM_RESULTS)[number]

/** How the bytes of an answer came through. */
export const RELAY_RESULTS = ['complete', 'upstream-broke', 'caller-left'] as const
export type RelayResult = (typeof RELAY_RESULTS)[number]

/** What came of an answer that says that the context is too long. */
export const OVERFLOW_RESULTS = [
  /** Sent again, and answered with anything but the same. */
  'recovered',
  /** Sent again, and too long again. */
  'repeated',
  /** Sent again, without an answer: the caller got the first one. */
  'lost',
  /** Not sent again: it could not be made smaller. */
  'not-smaller',
] as const
export type OverflowResult = (typeof OVERFLOW_RESULTS)[number]
