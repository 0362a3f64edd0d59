/** First backoff; doubles with every further retry. */
const BACKOFF_MS = 250

/**
 * Milliseconds to wait before a retry when the server names no time: 250 ms doubling, and up to
 * 250 ms more, so that callers that failed together do not come back together.
 *
 * @param retry 0 for the first retry
 * @param random a number in [0, 1)
 */
export function backoffMs(retry: number, random: () => number): number {
  return BACKOFF_MS * 2 ** retry + random() * BACKOFF_MS
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

const DECIMAL = /^\d+(\.\d+)?$/
const DAY_NAME = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/

/**
 * The wait that a server asks for: `retry-after-ms` (milliseconds, as decision and chat providers
 * send it) before `Retry-After` (RFC 9110: seconds or a date). undefined when neither is readable.
 *
 * @param headers lower-case names
 * @param wallNow milliseconds since the epoch
 */
export function readRetryAfterMs(headers: Headers, wallNow: number): number | undefined {
  const precise = single(headers['retry-after-ms'])
  if (precise !== undefined && DECIMAL.test(precise)) return Number(precise)
  const value = single(headers['retry-after'])
  if (value === undefined) return undefined
  if (DECIMAL.test(value)) return Number(value) * 1_000
  // Date.parse reads a date into nearly any text, so only what begins like an HTTP date is given to it.
  if (!DAY_NAME.test(value)) return undefined
  const time = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`)
  return Number.isNaN(time) ? undefined : Math.max(0, time - wallNow)
}

function single(header: string | string[] | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header)?.trim()
}

/** Resolves true after `ms`, or false as soon as the signal aborts. */
export function sleep(ms: number, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return Promise.resolve(false)
  return new Promise((resolve) => {
    const onAbort = () => {
      clearTimeout(timer)
      resolve(false)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort)
      resolve(true)
    }, ms)
    signal.addEventListener('abort', onAbort, { once: true })
  })
}
