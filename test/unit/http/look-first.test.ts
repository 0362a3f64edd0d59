import { describe, expect, it } from 'vitest'
import { openCompactionDeadline } from '../../../src/http/compaction-deadline.ts'
import { lookFirst } from '../../../src/http/look-first.ts'

describe('a signal that is looked at', () => {
  it('learns of what has happened without a turn of the event loop', () => {
    const controller = new AbortController()
    let isOver = false
    const signal = lookFirst(controller.signal, () => {
      if (isOver) controller.abort(new Error('over'))
    })
    expect(signal.aborted).toBe(false)
    isOver = true
    expect(signal.aborted).toBe(true)
    expect(() => signal.throwIfAborted()).toThrow('over')
  })

  it('tells its listeners, and looks no more', () => {
    const controller = new AbortController()
    let looks = 0
    const heard: unknown[] = []
    const signal = lookFirst(controller.signal, () => {
      looks += 1
      controller.abort('over')
    })
    signal.addEventListener('abort', () => heard.push(signal.reason))
    expect([signal.aborted, signal.aborted]).toEqual([true, true])
    expect(heard).toEqual(['over'])
    expect(looks).toBe(1)
  })
})

describe('the deadline of a compaction that never lets the event loop turn', () => {
  it.each(['signal', 'modelSignal'] as const)(
    'is told by its %s that the caller has left, where the caller’s is one that is looked at',
    (name) => {
      const controller = new AbortController()
      let hasLeft = false
      const caller = lookFirst(controller.signal, () => {
        if (hasLeft) controller.abort(new Error('left'))
      })
      const deadline = openCompactionDeadline(caller, 60_000, 50_000)
      try {
        expect(deadline[name].aborted).toBe(false)
        hasLeft = true
        expect(deadline[name].aborted).toBe(true)
        expect(deadline[name].reason).toMatchObject({ message: 'left' })
        expect(deadline.isOver()).toBe(false)
      } finally {
        deadline.close()
      }
    },
  )
})
