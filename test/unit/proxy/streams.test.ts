import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openCompactionDeadline } from '../../../src/http/compaction-deadline.ts'
import { readStart } from '../../../src/proxy/overflow/read-start.ts'
import { createEventWatch } from '../../../src/proxy/overflow/watch-events.ts'

const event = (data: object, name = '') =>
  `${name === '' ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

const CREATED = event({
  type: 'response.created',
  response: { instructions: 'prompt is too long' },
})
const FAILED = event({
  type: 'response.failed',
  response: {
    error: { code: 'context_length_exceeded', message: 'Your input exceeds the context window.' },
    instructions: 'rate_limit_exceeded',
  },
})

describe('the first events of a stream', () => {
  it.each([1, 7, 10_000])('tell that the prompt is too long, in pieces of %i bytes', (size) => {
    const watch = createEventWatch()
    const bytes = Buffer.from(CREATED + CREATED + FAILED)
    let isOver = false
    for (let at = 0; at < bytes.length; at += size) {
      expect(isOver).toBe(false)
      isOver = watch.push(bytes.subarray(at, at + size))
    }
    expect(isOver).toBe(true)
    expect(watch.overflow()).toEqual({})
  })

  it('are enough as soon as the answer begins', () => {
    const watch = createEventWatch()
    expect(watch.push(Buffer.from(CREATED))).toBe(false)
    const item = event({ type: 'response.output_item.added', item: { type: 'reasoning' } })
    expect(watch.push(Buffer.from(item))).toBe(true)
    expect(watch.overflow()).toBeUndefined()
  })

  it('may fail for another reason, whatever the request says that they repeat', () => {
    const watch = createEventWatch()
    const failed = event({
      type: 'response.failed',
      response: {
        error: { code: 'server_error', message: 'Something broke.' },
        instructions: 'context_length_exceeded: prompt is too long',
      },
    })
    expect(watch.push(Buffer.from(failed.replaceAll('\n', '\r\n')))).toBe(true)
    expect(watch.overflow()).toBeUndefined()
  })

  it('are given up on where they are none', () => {
    expect(createEventWatch().push(Buffer.from('data: {"broken\n\n'))).toBe(true)
  })
})

describe('the start of a body', () => {
  const bounds = { maxBytes: 10, maxMs: 5_000 }

  it('is all of it where it is short', async () => {
    const body = new PassThrough()
    body.end('short')
    expect(await readStart(body, bounds)).toEqual({ bytes: Buffer.from('short'), isWhole: true })
  })

  it('leaves the rest in the stream, to the byte', async () => {
    const body = new PassThrough()
    body.write('0123456')
    body.write('789abcd')
    body.end('the rest')
    const start = await readStart(body, bounds)
    expect(start).toMatchObject({ isWhole: false })
    await sleep(20)
    const rest: Buffer[] = []
    for await (const piece of body) rest.push(piece as Buffer)
    expect(start.bytes.toString() + Buffer.concat(rest)).toBe('0123456789abcdthe rest')
  })

  it('does not wait for ever', async () => {
    const body = new PassThrough()
    body.write('slow')
    const start = await readStart(body, { maxBytes: 10, maxMs: 20 })
    expect(start).toEqual({ bytes: Buffer.from('slow'), isWhole: false })
  })

  it('is what came before it broke', async () => {
    const body = new PassThrough()
    body.write('half')
    setTimeout(() => body.destroy(new Error('reset')), 10)
    expect(await readStart(body, bounds)).toEqual({ bytes: Buffer.from('half'), isWhole: false })
    expect(body.destroyed).toBe(true)
  })
})

describe('the deadline of a compaction', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  it('stops models first and the work at its end', async () => {
    vi.useFakeTimers()
    const deadline = openCompactionDeadline(new AbortController().signal, 60, 20)
    expect(deadline.modelDeadlineAt).toBe(performance.now() + 20)
    const states = [19, 1, 39].map((milliseconds) => {
      vi.advanceTimersByTime(milliseconds)
      return [deadline.modelSignal.aborted, deadline.signal.aborted, deadline.isOver()]
    })
    expect(states).toEqual([
      [false, false, false],
      [true, false, false],
      [true, false, false],
    ])
    vi.advanceTimersByTime(1)
    await expect(deadline.aborted).rejects.toThrow('out of time')
    expect([deadline.signal.aborted, deadline.isOver()]).toEqual([true, true])
    deadline.close()
  })

  it('ends with the caller, which is not the time running out', async () => {
    const caller = new AbortController()
    const deadline = openCompactionDeadline(caller.signal, 10_000, 5_000)
    caller.abort(new Error('left'))
    await expect(deadline.aborted).rejects.toThrow('left')
    expect([deadline.modelSignal.aborted, deadline.signal.aborted, deadline.isOver()]).toEqual([
      true,
      true,
      false,
    ])
    deadline.close()
  })

  it('leaves no timer behind', async () => {
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    openCompactionDeadline(new AbortController().signal, 10_000, 5_000).close()
    const after = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    expect(after).toBe(before)
  })
})
