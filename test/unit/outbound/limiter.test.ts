import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLimiter, type Release } from '../../../src/outbound/limiter.ts'

const never = new AbortController().signal

const setUp = () => createLimiter({ maxConcurrency: 2, maxQueue: 2, maxWaitMs: 1_000 })

/** A slot that is there, so that the test can give it back. */
async function slot(acquired: Promise<Release | 'busy' | 'stopped'>): Promise<Release> {
  const outcome = await acquired
  if (typeof outcome === 'string') throw new Error(`expected a slot, got ${outcome}`)
  return outcome
}

describe('the limiter', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  test('gives slots until they are used up, then lets callers wait', async () => {
    const limiter = setUp()
    await slot(limiter.acquire(never))
    await slot(limiter.acquire(never))
    const third = vi.fn()
    void limiter.acquire(never).then(third)
    await vi.advanceTimersByTimeAsync(0)
    expect(third).not.toHaveBeenCalled()
    expect([limiter.active(), limiter.waiting()]).toEqual([2, 1])
  })

  test('admits those who wait in the order in which they came', async () => {
    const limiter = setUp()
    const first = await slot(limiter.acquire(never))
    await slot(limiter.acquire(never))
    const order: string[] = []
    const early = limiter.acquire(never).then((release) => {
      order.push('early')
      return release
    })
    const late = limiter.acquire(never).then((release) => {
      order.push('late')
      return release
    })
    first()
    const second = await slot(early)
    expect(order).toEqual(['early'])
    second()
    await late
    expect(order).toEqual(['early', 'late'])
    expect(limiter.active()).toBe(2)
  })

  test('turns away whoever finds the queue full', async () => {
    const limiter = setUp()
    for (let i = 0; i < 4; i += 1) void limiter.acquire(never)
    expect(await limiter.acquire(never)).toBe('busy')
    expect(limiter.waiting()).toBe(2)
  })

  test('turns away whoever has waited too long, and frees the place in the queue', async () => {
    const limiter = setUp()
    for (let i = 0; i < 2; i += 1) void limiter.acquire(never)
    const waiting = limiter.acquire(never)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(await waiting).toBe('busy')
    expect(limiter.waiting()).toBe(0)
  })

  test('lets a caller give up, and gives the place to nobody twice', async () => {
    const limiter = setUp()
    const first = await slot(limiter.acquire(never))
    await slot(limiter.acquire(never))
    const controller = new AbortController()
    const gone = limiter.acquire(controller.signal)
    const next = limiter.acquire(never)
    controller.abort()
    expect(await gone).toBe('stopped')
    first()
    await slot(next)
    expect([limiter.active(), limiter.waiting()]).toEqual([2, 0])
  })

  test('gives no slot to a caller who has gone already', async () => {
    const limiter = setUp()
    expect(await limiter.acquire(AbortSignal.abort())).toBe('stopped')
    expect(limiter.active()).toBe(0)
  })

  test('takes a slot back once, however often it is released', async () => {
    const limiter = setUp()
    const first = await slot(limiter.acquire(never))
    await slot(limiter.acquire(never))
    first()
    first()
    expect(limiter.active()).toBe(1)
  })

  test('leaves no timer behind when the wait has ended', async () => {
    const limiter = setUp()
    const first = await slot(limiter.acquire(never))
    await slot(limiter.acquire(never))
    const next = limiter.acquire(never)
    first()
    await slot(next)
    expect(vi.getTimerCount()).toBe(0)
  })
})
