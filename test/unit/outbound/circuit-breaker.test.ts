import { describe, expect, test } from 'vitest'
import {
  type BreakerState,
  type BreakerVerdict,
  createCircuitBreaker,
} from '../../../src/outbound/circuit-breaker.ts'

function setUp() {
  let time = 0
  const states: BreakerState[] = []
  const breaker = createCircuitBreaker({
    now: () => time,
    failureThreshold: 3,
    openMs: 1_000,
    refusedOpenMs: 60_000,
    onState: (state) => states.push(state),
  })
  const request = (verdict: BreakerVerdict, holdMs?: number): boolean => {
    const ticket = breaker.enter()
    ticket?.report(verdict, holdMs)
    return ticket !== undefined
  }
  const wait = (ms: number) => {
    time += ms
  }
  const fail = (times: number) => {
    for (let i = 0; i < times; i += 1) request('failing')
  }
  return { breaker, states, request, wait, fail }
}

describe('a closed breaker', () => {
  test('opens at the threshold and not before', () => {
    const { breaker, fail } = setUp()
    fail(2)
    expect(breaker.state()).toBe('closed')
    fail(1)
    expect(breaker.state()).toBe('open')
    expect(breaker.refuses()).toBe(true)
    expect(breaker.enter()).toBe(undefined)
  })

  test('counts consecutive failures only', () => {
    const { breaker, request, fail } = setUp()
    fail(2)
    request('healthy')
    fail(2)
    expect(breaker.state()).toBe('closed')
  })

  test('learns nothing from a neutral request, neither way', () => {
    const { breaker, request, fail } = setUp()
    fail(2)
    request('neutral')
    expect(breaker.state()).toBe('closed')
    fail(1)
    expect(breaker.state()).toBe('open')
  })

  test('opens at once, and for longer, when it is refused', () => {
    const { breaker, request, wait } = setUp()
    request('refused')
    wait(59_999)
    expect(breaker.state()).toBe('open')
    wait(1)
    expect(breaker.state()).toBe('half-open')
  })

  test('counts a request once, however often it is reported', () => {
    const { breaker } = setUp()
    const ticket = breaker.enter()
    for (let i = 0; i < 5; i += 1) ticket?.report('failing')
    expect(breaker.state()).toBe('closed')
  })
})

describe('an open breaker', () => {
  test('lets a probe through when its time is over', () => {
    const { breaker, fail, wait } = setUp()
    fail(3)
    wait(999)
    expect(breaker.enter()).toBe(undefined)
    wait(1)
    expect(breaker.refuses()).toBe(false)
    expect(breaker.enter()).not.toBe(undefined)
  })

  test('stays open for as long as the server asked to be left alone', () => {
    const { breaker, fail, request, wait } = setUp()
    fail(2)
    request('failing', 5_000)
    wait(4_999)
    expect(breaker.state()).toBe('open')
    wait(1)
    expect(breaker.state()).toBe('half-open')
  })

  test('does not let a server ask for more than a minute', () => {
    const { breaker, fail, request, wait } = setUp()
    fail(2)
    request('failing', 86_400_000)
    wait(60_000)
    expect(breaker.state()).toBe('half-open')
  })

  test('is not closed by an answer to a request that was sent before it opened', () => {
    const { breaker, fail } = setUp()
    const early = breaker.enter()
    fail(3)
    early?.report('healthy')
    expect(breaker.state()).toBe('open')
  })
})

describe('a half-open breaker', () => {
  test('lets a single probe through at a time', () => {
    const { breaker, fail, wait } = setUp()
    fail(3)
    wait(1_000)
    expect(breaker.enter()).not.toBe(undefined)
    expect(breaker.enter()).toBe(undefined)
    expect(breaker.refuses()).toBe(true)
  })

  test('closes when the probe is answered', () => {
    const { breaker, request, fail, wait } = setUp()
    fail(3)
    wait(1_000)
    request('healthy')
    expect(breaker.state()).toBe('closed')
    fail(2)
    expect(breaker.state()).toBe('closed')
  })

  test('opens again when the probe fails', () => {
    const { breaker, request, fail, wait } = setUp()
    fail(3)
    wait(1_000)
    request('failing')
    expect(breaker.enter()).toBe(undefined)
    wait(1_000)
    expect(breaker.state()).toBe('half-open')
  })

  test('lets another probe through when the first says nothing', () => {
    const { breaker, request, fail, wait } = setUp()
    fail(3)
    wait(1_000)
    request('neutral')
    expect(breaker.state()).toBe('half-open')
    expect(request('healthy')).toBe(true)
    expect(breaker.state()).toBe('closed')
  })

  test('ignores requests that were sent before it opened', () => {
    const { breaker, fail, wait } = setUp()
    const early = breaker.enter()
    fail(3)
    wait(1_000)
    breaker.enter()
    early?.report('healthy')
    expect(breaker.state()).toBe('half-open')
    expect(breaker.refuses()).toBe(true)
  })
})

test('every change of state is told', () => {
  const { states, request, fail, wait } = setUp()
  fail(3)
  wait(1_000)
  request('failing')
  wait(1_000)
  request('healthy')
  expect(states).toEqual(['open', 'half-open', 'open', 'half-open', 'closed'])
})
