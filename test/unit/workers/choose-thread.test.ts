import { describe, expect, it } from 'vitest'
import { createThreadChooser, sessionOf, type Thread } from '../../../src/workers/choose-thread.ts'

const thread = (id: number, currentUsage = 0): Thread => ({ id, currentUsage })
const chooser = (maxThreads = 3) => createThreadChooser({ maxThreads, tasksPerThread: 4 })

describe('the choice of a thread', () => {
  it('starts one where none is idle and there may be more', () => {
    const { choose } = chooser()
    expect(choose('a', [])).toBeNull()
    expect(choose('a', [thread(1, 1)])).toBeNull()
    expect(choose('a', [thread(1, 1), thread(2, 3)])).toBeNull()
  })

  it('gives a second task to nobody while one is idle', () => {
    const { choose } = chooser()
    expect(choose('a', [thread(1, 1), thread(2), thread(3, 2)])?.id).toBe(2)
  })

  it('gives the task to the least busy where all are, up to what each may have', () => {
    const { choose } = chooser()
    expect(choose('a', [thread(1, 2), thread(2, 1), thread(3, 3)])?.id).toBe(2)
    expect(choose('a', [thread(1, 4), thread(2, 4), thread(3, 4)])).toBeNull()
  })

  it('prefers the thread that has had the session before, among those as busy', () => {
    const { choose } = chooser()
    const idle = [thread(1), thread(2), thread(3)]
    expect(choose('a', [thread(1, 1), thread(2, 1), thread(3)])?.id).toBe(3)
    expect(choose('b', [thread(1, 1), thread(2), thread(3, 1)])?.id).toBe(2)
    expect(choose('a', idle)?.id).toBe(3)
    expect(choose('b', idle)?.id).toBe(2)
    expect(choose(undefined, idle)?.id).toBe(1)
    expect(choose('a', [thread(1, 2), thread(2, 2), thread(3, 2)])?.id).toBe(3)
  })

  it('does not wait for that thread', () => {
    const { choose } = chooser()
    choose('a', [thread(1, 1), thread(2, 1), thread(3)])
    expect(choose('a', [thread(1), thread(2, 1), thread(3, 1)])?.id).toBe(1)
    expect(choose('a', [thread(1), thread(2), thread(3)])?.id).toBe(1)
  })

  it('takes another for a session whose thread is no more', () => {
    const { choose } = chooser(1)
    expect(choose('a', [thread(1)])?.id).toBe(1)
    expect(choose('a', [thread(2)])?.id).toBe(2)
  })
})

describe('the session of a body', () => {
  const turn = (start: string, messages: number) =>
    Buffer.from(`${start}${'one message after another, '.repeat(messages)}`)

  it('is the same on its next turn, and another for another', () => {
    const session = sessionOf(turn('first', 4_000))
    expect(session).toBeDefined()
    expect(sessionOf(turn('first', 4_500))).toBe(session)
    expect(sessionOf(turn('second', 4_000))).not.toBe(session)
  })

  it('is not told from a short body, all of which changes', () => {
    expect(sessionOf(turn('first', 100))).toBeUndefined()
  })
})
