import { describe, expect, it } from 'vitest'
import { createTurnQueue } from '../../../src/http/turn-queue.ts'

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve))

async function turnsOfTheLoop(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await turnOfTheLoop()
}

describe('the queue of turns', () => {
  it('begins one piece of work at a time, in the order in which they came', async () => {
    const queue = createTurnQueue()
    const begun: { readonly piece: number; readonly turn: number }[] = []
    let turn = 0
    const pieces = [0, 1, 2, 3, 4, 5].map(async (piece) => {
      await queue.take()
      begun.push({ piece, turn })
    })
    for (; begun.length < pieces.length && turn < 1_000; turn += 1) await turnOfTheLoop()
    expect(begun.map(({ piece }) => piece)).toEqual([0, 1, 2, 3, 4, 5])
    const gaps = begun.slice(1).map((each, index) => each.turn - (begun[index]?.turn ?? 0))
    for (const gap of gaps) expect(gap).toBeGreaterThan(4)
  })

  it('lets one begin at once where nobody is before it', async () => {
    const queue = createTurnQueue()
    let isBegun = false
    void queue.take().then(() => {
      isBegun = true
    })
    await Promise.resolve()
    expect(isBegun).toBe(true)
  })

  it('is free again once all have had their turn', async () => {
    const queue = createTurnQueue()
    await Promise.all([queue.take(), queue.take(), queue.take()])
    await turnsOfTheLoop(100)
    let isBegun = false
    void queue.take().then(() => {
      isBegun = true
    })
    await Promise.resolve()
    expect(isBegun).toBe(true)
  })
})
