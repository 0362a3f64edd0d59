import { describe, expect, it } from 'vitest'
import { createInFlight } from '../../../src/http/in-flight.ts'

describe('createInFlight', () => {
  it('has as many places as it was given, and one again after each that leaves', () => {
    const inFlight = createInFlight({ maxRequests: 2, maxBytes: 100 })
    const leave = inFlight.enter(1)
    expect(inFlight.enter(1)).toBeTypeOf('function')
    expect(inFlight.enter(1)).toBeUndefined()
    leave?.()
    expect(inFlight.enter(1)).toBeTypeOf('function')
  })

  it('holds no more bytes than it may, but lets a large request in when it is alone', () => {
    const inFlight = createInFlight({ maxRequests: 10, maxBytes: 100 })
    const leave = inFlight.enter(500)
    expect(leave).toBeTypeOf('function')
    expect(inFlight.enter(1)).toBeUndefined()
    leave?.()
    expect(inFlight.enter(60)).toBeTypeOf('function')
    expect(inFlight.enter(41)).toBeUndefined()
    expect(inFlight.enter(40)).toBeTypeOf('function')
  })

  it('holds more bytes for a request that has its place, while there is room', () => {
    const inFlight = createInFlight({ maxRequests: 10, maxBytes: 100 })
    inFlight.enter(10)
    const whenAlone = inFlight.hold(500)
    expect(whenAlone).toBeTypeOf('function')
    expect(inFlight.enter(1)).toBeUndefined()
    whenAlone?.()
    whenAlone?.()
    inFlight.enter(10)
    expect(inFlight.hold(81)).toBeUndefined()
    expect(inFlight.hold(80)).toBeTypeOf('function')
    expect(inFlight.enter(1)).toBeUndefined()
    expect(inFlight.count()).toBe(2)
  })

  it('keeps places and bytes for small requests, however many large ones come', () => {
    const inFlight = createInFlight({ maxRequests: 10, maxBytes: 10_000, smallBytes: 100 })
    const enterAll = (bytes: number) =>
      Array.from({ length: 20 }, () => inFlight.enter(bytes)).filter((leave) => leave)
    expect(enterAll(101)).toHaveLength(8)
    expect(enterAll(100)).toHaveLength(2)

    const tight = createInFlight({ maxRequests: 10, maxBytes: 1_000, smallBytes: 100 })
    tight.enter(700)
    expect(tight.enter(101)).toBeUndefined()
    expect(tight.enter(100)).toBeTypeOf('function')
  })

  it('serves either kind where there is one place', () => {
    const inFlight = createInFlight({ maxRequests: 1, maxBytes: 1_000, smallBytes: 100 })
    inFlight.enter(101)?.()
    expect(inFlight.enter(1)).toBeTypeOf('function')
    expect(inFlight.enter(101)).toBeUndefined()
  })

  it('counts a request that leaves twice once', () => {
    const inFlight = createInFlight({ maxRequests: 10, maxBytes: 100 })
    const leave = inFlight.enter(10)
    inFlight.enter(10)
    leave?.()
    leave?.()
    expect(inFlight.count()).toBe(1)
  })

  it('is idle at once when empty, else when the last has left', async () => {
    const inFlight = createInFlight({ maxRequests: 10, maxBytes: 100 })
    await inFlight.whenIdle()
    const leaves = [inFlight.enter(1), inFlight.enter(1)]
    let idle = false
    const waiting = inFlight.whenIdle().then(() => {
      idle = true
    })
    leaves[0]?.()
    await new Promise(setImmediate)
    expect(idle).toBe(false)
    leaves[1]?.()
    await waiting
    expect(idle).toBe(true)
  })
})
