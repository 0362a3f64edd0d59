import { describe, expect, it } from 'vitest'
import { PrecisError } from '../../../src/engine/errors.ts'
import { createAttemptsElsewhere } from '../../../src/proxy/attempts-elsewhere.ts'
import type { ProxyAsk } from '../../../src/proxy/proxy-work.ts'
import type { WorkerPool, WorkRun } from '../../../src/workers/worker-pool.ts'

const TEXT = Buffer.from('{"model":"gpt-4o","messages":[]}')
const REQUEST = {
  generation: { format: 'openai-responses', model: undefined },
  asked: { bypass: false, targetTokens: undefined, profile: undefined },
} as const

type Run = (body: Buffer, ask: ProxyAsk, run: WorkRun) => Promise<unknown>

/** Threads of which each does what it is told to; the rest of the pool is not looked at. */
function attempts(run: Run, deadlineMs = 60_000) {
  const caller = new AbortController()
  const failures: unknown[] = []
  const workers = {
    run: (_work: string, body: Buffer, ask: ProxyAsk, limits: WorkRun) => run(body, ask, limits),
  } as unknown as Pick<WorkerPool, 'run'>
  const call = { signal: caller.signal, onFailure: (error: unknown) => failures.push(error) }
  return {
    caller,
    failures,
    made: createAttemptsElsewhere(TEXT, REQUEST, call, { workers, deadlineMs }),
  }
}

const never = () => new Promise<never>(() => {})
const told = {
  note: { outcome: 'compacted' },
  ownTokens: 5,
  mayGoHarder: true,
  mayBeTooLong: false,
}

describe('an attempt on another thread', () => {
  it('is given a copy of the text, and gives what the thread has made', async () => {
    const bodies: Buffer[] = []
    const { made } = attempts(async (body) => {
      bodies.push(Buffer.from(body))
      body.fill(0)
      return { answer: Buffer.from('smaller'), told: { ...told, isRewritten: true } }
    })
    const first = await made.first()
    expect(first).toMatchObject({ ...told, rewritten: Buffer.from('smaller') })
    expect(bodies).toEqual([TEXT])
    expect(TEXT.toString()).toContain('gpt-4o')
  })

  it('sends nothing in place of what came, where the thread has rewritten nothing', async () => {
    const { made } = attempts(async () => ({
      answer: Buffer.alloc(0),
      told: { ...told, isRewritten: false },
    }))
    expect((await made.first()).rewritten).toBeUndefined()
  })

  it.each([
    ['busy', 0, new PrecisError('overloaded', 'Too many wait.')],
    ['failed', 1, new PrecisError('internal', 'The work failed.')],
    ['failed', 1, new Error('The thread has ended.')],
  ])('passes with the reason %s, and reports %i failures', async (reason, reported, error) => {
    const { made, failures } = attempts(() => Promise.reject(error))
    expect(await made.first()).toMatchObject({
      note: { outcome: 'passed', reason },
      rewritten: undefined,
      mayGoHarder: true,
      mayBeTooLong: true,
    })
    expect(await made.harder({ limitTokens: 5, sentTokens: 9 }, 9)).toBeUndefined()
    expect((await made.count()).note).toEqual({ outcome: 'unchanged' })
    expect(failures).toHaveLength(reported * 3)
  })

  it('is given up on when its time is over, and the thread is told', async () => {
    const signals: AbortSignal[] = []
    const { made, failures } = attempts((_body, _ask, { signal }) => {
      signals.push(signal)
      return never()
    }, 100)
    expect((await made.first()).note).toEqual({ outcome: 'passed', reason: 'deadline' })
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
    expect(failures).toEqual([])
  })

  it('has less time where an answer waits for its count', async () => {
    const limits: number[] = []
    const { made } = attempts((_body, { limitMs }) => {
      limits.push(limitMs)
      return never()
    })
    expect((await made.count()).note).toEqual({ outcome: 'unchanged' })
    expect(limits[0]).toBeLessThan(5_000)
  })

  it('throws when the caller leaves', async () => {
    const { made, caller } = attempts(never)
    setTimeout(() => caller.abort(new Error('left')), 20)
    await expect(made.first()).rejects.toThrow('left')
  })
})
