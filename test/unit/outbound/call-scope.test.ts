import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openCallScope } from '../../../src/outbound/call-scope.ts'

describe('the scope of a call', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())
  const now = () => performance.now()

  test('has all the time there is when no deadline is given', () => {
    const scope = openCallScope({ now })
    expect(scope.remainingMs()).toBe(Infinity)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends at its deadline', () => {
    const scope = openCallScope({ deadlineAt: now() + 100, now })
    vi.advanceTimersByTime(99)
    expect(scope.stopped()).toBe(undefined)
    expect(scope.remainingMs()).toBeCloseTo(1)
    vi.advanceTimersByTime(1)
    expect(scope.stopped()).toBe('deadline')
    expect(scope.signal.aborted).toBe(true)
  })

  test('has ended before it began when the deadline has passed', () => {
    expect(openCallScope({ deadlineAt: now() - 1, now }).stopped()).toBe('deadline')
  })

  test('survives a deadline that is further away than a timer can be', () => {
    const scope = openCallScope({ deadlineAt: now() + 1e12, now })
    vi.advanceTimersByTime(1_000)
    expect(scope.stopped()).toBe(undefined)
    scope.close()
  })

  test('tells a caller who went away from one whose time ran out', () => {
    const gone = new AbortController()
    const late = new AbortController()
    const scopes = [gone, late].map(({ signal }) => openCallScope({ signal, now }))
    gone.abort()
    late.abort(new DOMException('The time is over', 'TimeoutError'))
    expect(scopes.map((scope) => scope.stopped())).toEqual(['aborted', 'deadline'])
  })

  test('knows a signal that has aborted already', () => {
    expect(openCallScope({ signal: AbortSignal.abort(), now }).stopped()).toBe('aborted')
    expect(openCallScope({ signal: AbortSignal.abort('a text'), now }).stopped()).toBe('aborted')
  })

  test('keeps the first reason', () => {
    const scope = openCallScope({ deadlineAt: now() + 100, now })
    scope.stop('aborted')
    vi.advanceTimersByTime(100)
    expect(scope.stopped()).toBe('aborted')
  })

  test('lets go of the timer and of the signal when it is closed', () => {
    const { signal } = new AbortController()
    const remove = vi.spyOn(signal, 'removeEventListener')
    openCallScope({ signal, deadlineAt: now() + 100, now }).close()
    expect(vi.getTimerCount()).toBe(0)
    expect(remove).toHaveBeenCalledWith('abort', expect.any(Function))
  })
})
