import { describe, expect, it } from 'vitest'
import { createEncoder } from '../../../../src/decide/minilm/encoder.ts'
import type { EncoderProcess } from '../../../../src/decide/minilm/encoder-process.ts'

const OPTIONS = { folder: 'nowhere', file: 'none', threads: 1 }

/** Processes that answer with their number and end when they are told to. */
function fakeProcesses() {
  const ends: (() => void)[] = []
  let closed = 0
  let time = 1_000
  const start = (): EncoderProcess => {
    const number = ends.length
    const ended = new Promise<void>((resolve) => ends.push(resolve))
    return {
      ready: Promise.resolve(),
      ended,
      encode: async () => Float32Array.of(number),
      close: async () => {
        closed += 1
        ends[number]?.()
      },
    }
  }
  return {
    ports: { start, now: () => time },
    started: () => ends.length,
    closed: () => closed,
    pass: (milliseconds: number) => {
      time += milliseconds
    },
    end: async (number: number) => {
      ends[number]?.()
      await Promise.resolve()
      await Promise.resolve()
    },
  }
}

describe('createEncoder', () => {
  it('starts one process and asks it everything', async () => {
    const fake = fakeProcesses()
    const encoder = createEncoder(OPTIONS, fake.ports)
    expect(await encoder.encode([1])).toEqual(Float32Array.of(0))
    expect(await encoder.encode([2])).toEqual(Float32Array.of(0))
    expect(fake.started()).toBe(1)
  })

  it('starts another one where it has ended, but not more than one a minute', async () => {
    const fake = fakeProcesses()
    const encoder = createEncoder(OPTIONS, fake.ports)
    await fake.end(0)
    await expect(encoder.encode([1])).rejects.toThrow('no encoder')
    expect(fake.started()).toBe(1)
    fake.pass(60_000)
    expect(await encoder.encode([1])).toEqual(Float32Array.of(1))
    await fake.end(1)
    await expect(encoder.encode([1])).rejects.toThrow('no encoder')
    expect(fake.started()).toBe(2)
  })

  it('ends its process when it is closed, and starts none after', async () => {
    const fake = fakeProcesses()
    const encoder = createEncoder(OPTIONS, fake.ports)
    await encoder.close()
    expect(fake.closed()).toBe(1)
    fake.pass(120_000)
    await expect(encoder.encode([1])).rejects.toThrow('no encoder')
    expect(fake.started()).toBe(1)
  })
})
