import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { backoffMs, readRetryAfterMs, sleep } from '../../../src/outbound/retry.ts'

const NOW = Date.parse('2026-11-29T12:00:00Z')

describe('backoff', () => {
  test('starts at 250 ms and doubles', () => {
    expect([0, 1, 2, 3].map((retry) => backoffMs(retry, () => 0))).toEqual([250, 500, 1_000, 2_000])
  })

  test('adds up to 250 ms of jitter from the injected source', () => {
    expect(backoffMs(0, () => 0.5)).toBe(375)
    expect(backoffMs(2, () => 0.999)).toBeCloseTo(1_249.75)
  })
})

describe('reading Retry-After', () => {
  test('reads seconds, whole or broken', () => {
    expect(readRetryAfterMs({ 'retry-after': '3' }, NOW)).toBe(3_000)
    expect(readRetryAfterMs({ 'retry-after': ' 0.5 ' }, NOW)).toBe(500)
    expect(readRetryAfterMs({ 'retry-after': '0' }, NOW)).toBe(0)
  })

  test('prefers milliseconds where the server is that precise', () => {
    expect(readRetryAfterMs({ 'retry-after-ms': '120', 'retry-after': '1' }, NOW)).toBe(120)
    expect(readRetryAfterMs({ 'retry-after-ms': 'soon', 'retry-after': '1' }, NOW)).toBe(1_000)
  })

  test.each([
    ['IMF-fixdate', 'Sun, 29 Nov 2026 12:00:07 GMT'],
    ['RFC 850', 'Sunday, 29-Nov-26 12:00:07 GMT'],
    ['asctime, which has no zone and means GMT', 'Sun Nov 29 12:00:07 2026'],
  ])('reads a date in the form of %s', (_, date) => {
    expect(readRetryAfterMs({ 'retry-after': date }, NOW)).toBe(7_000)
  })

  test('takes a date that has passed for no wait', () => {
    expect(readRetryAfterMs({ 'retry-after': 'Sun, 29 Nov 2026 11:00:00 GMT' }, NOW)).toBe(0)
  })

  test.each(['', 'later', '-1', 'try 5', '1e3', 'NaN', 'Infinity', 'Sunday'])(
    'ignores %j',
    (value) => {
      expect(readRetryAfterMs({ 'retry-after': value, 'retry-after-ms': value }, NOW)).toBe(
        undefined,
      )
    },
  )

  test('reads the first of repeated headers', () => {
    expect(readRetryAfterMs({ 'retry-after': ['2', '9'] }, NOW)).toBe(2_000)
  })

  test('finds nothing where nothing is said', () => {
    expect(readRetryAfterMs({}, NOW)).toBe(undefined)
  })
})

describe('sleep', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('ends after its time', async () => {
    const slept = sleep(1_000, new AbortController().signal)
    await vi.advanceTimersByTimeAsync(999)
    expect(vi.getTimerCount()).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(await slept).toBe(true)
  })

  test('ends at once when the signal aborts, and leaves no timer', async () => {
    const controller = new AbortController()
    const slept = sleep(1_000, controller.signal)
    controller.abort()
    expect(await slept).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('does not begin on a signal that has aborted', async () => {
    expect(await sleep(1_000, AbortSignal.abort())).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })
})
