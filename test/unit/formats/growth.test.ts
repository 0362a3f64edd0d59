import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Insertion, Plan } from '../../../src/engine/edit.ts'
import { PrecisError } from '../../../src/engine/errors.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import type { FormatAdapter } from '../../../src/formats/adapter.ts'
import { itemsOf } from '../../../src/formats/conversation-list.ts'
import { detectFormat } from '../../../src/formats/detect-format.ts'
import { FORMATS } from '../../../src/formats/index.ts'
import { isArray, isRecord } from '../../../src/formats/json.ts'
import { HOSTILE_SHAPES, times } from './hostile-shapes.ts'
import { context, marker, plan } from './support.ts'

const SMALL = 1_000
const LARGE = 10_000

/** Between the 10 of linear work and the 100 of quadratic. */
const MOST_GROWTH = 30

/** Microseconds below which the clock and the collector say more than the work does. */
const SHORTEST = 3_000

/** On a busy machine one of some hundred attempts shows a growth that is not there. */
const ATTEMPTS = 8

/** Rewrites every text and drops every third message. */
function busyPlan({ list }: FormatAdapter, payload: JsonObject): Plan {
  const replaced: Record<number, Record<number, string>> = {}
  for (const [index, message] of itemsOf(payload, list).entries()) {
    if (!isRecord(message) || message.role !== 'user') continue
    const blocks = isArray(message.content) ? message.content : [{ type: 'text' }]
    const texts = blocks.flatMap((block, part) =>
      isRecord(block) && block.type === 'text' ? [[part, 'x']] : [],
    )
    replaced[index] = Object.fromEntries(texts)
  }
  const dropped = times(itemsOf(payload, list).length, (index) => index).filter((i) => i % 3 === 2)
  return plan({ dropped, replaced, insertions: [marker(1)] })
}

/** Conversations that are refused must be refused as fast. */
function readOrRefuse(adapter: FormatAdapter, payload: JsonObject): void {
  try {
    adapter.read(payload, context)
  } catch (error) {
    if (!(error instanceof PrecisError)) throw error
  }
}

type Prepare = (adapter: FormatAdapter, payload: JsonObject) => () => unknown

const WORK: Readonly<Record<string, Prepare>> = {
  read: (adapter, payload) => () => readOrRefuse(adapter, payload),
  check: (adapter, payload) => () => adapter.check(payload),
  detect: (_, payload) => () => detectFormat(payload),
  write: (adapter, payload) => {
    const changes = busyPlan(adapter, payload)
    return () => adapter.write(payload, changes)
  },
}

function processorTime(work: () => unknown): number {
  const before = process.cpuUsage()
  work()
  return process.cpuUsage(before).user
}

/** The least of some attempts: noise only ever adds. One is enough where it shows no growth. */
function growthOf(small: () => unknown, large: () => unknown): number {
  let growth = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS && growth >= MOST_GROWTH; attempt += 1) {
    const shorter = Math.max(SHORTEST, processorTime(small))
    growth = Math.min(growth, processorTime(large) / shorter)
  }
  return growth
}

describe.each(Object.values(FORMATS))('the work of $id', (adapter) => {
  it.each(HOSTILE_SHAPES[adapter.id])('grows with the size of the conversation: $name', (shape) => {
    const [small, large] = [shape.build(SMALL), shape.build(LARGE)]
    for (const [name, prepare] of Object.entries(WORK)) {
      const growth = growthOf(prepare(adapter, small), prepare(adapter, large))
      expect(growth, name).toBeLessThan(MOST_GROWTH)
    }
  })
})

describe('the look-ups for a free name', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  function lookUps(work: () => unknown): number {
    const inSets = vi.spyOn(Set.prototype, 'has')
    const inMaps = vi.spyOn(Map.prototype, 'has')
    work()
    const count = inSets.mock.calls.length + inMaps.mock.calls.length
    vi.restoreAllMocks()
    return count
  }

  it.each(Object.values(FORMATS))('are a few for each call that $id reads', (adapter) => {
    const shape = HOSTILE_SHAPES[adapter.id].find(({ name }) => name === 'taken names')
    const payload = shape?.build(500) ?? {}
    const count = lookUps(() => adapter.read(payload, context))
    expect(count).toBeGreaterThan(1_000)
    expect(count).toBeLessThan(20_000)
  })

  it('are a few for each message that is written into a ChatMessage list', () => {
    const insertions: Insertion[] = times(500, () => marker(1))
    const messages = times(500, (index) => ({
      id: `truncation-marker-2-${index}`,
      role: 'user',
      content: 'a',
    }))
    const written: JsonObject[] = []
    const count = lookUps(() => {
      written.push(FORMATS.neurolink.write({ messages }, plan({ insertions })))
    })
    const ids = itemsOf(written[0] ?? {}, 'messages').map(
      (message) => isRecord(message) && message.id,
    )
    expect(new Set(ids).size).toBe(1_000)
    expect(count).toBeLessThan(20_000)
  })
})

describe('the copies of waiting calls', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('are a few for each call without an id, however its results come', () => {
    const shape = HOSTILE_SHAPES.neurolink.find(({ name }) => name.endsWith('one by one'))
    const payload = shape?.build(1_000) ?? {}
    const slices = vi.spyOn(Array.prototype, 'slice')
    const { entries } = FORMATS.neurolink.read(payload, context)
    const sizes = slices.mock.results.map(({ value }) => (Array.isArray(value) ? value.length : 0))
    vi.restoreAllMocks()
    expect(entries).toHaveLength(3_000)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(20_000)
  })
})

describe('the names of calls that use an id again', () => {
  const namesOf = (...ids: readonly string[]): (string | undefined)[] => {
    const messages = ids.map((toolCallId) => ({ role: 'tool_call', content: '', toolCallId }))
    const { entries } = FORMATS.neurolink.read({ messages }, context)
    return entries.map(({ parts }) => parts[0]?.callId)
  }

  it.each([
    [
      ['a', 'a', 'a'],
      ['a', 'a#2', 'a#3'],
    ],
    [
      ['a#2', 'a#3', 'a', 'a', 'a'],
      ['a#2', 'a#3', 'a', 'a#4', 'a#5'],
    ],
    [
      ['a', 'a', 'a#2', 'a#2', 'a'],
      ['a', 'a#2', 'a#2#2', 'a#2#3', 'a#3'],
    ],
    [
      ['a', 'a', 'a#3', 'a', 'a#4', 'a'],
      ['a', 'a#2', 'a#3', 'a#4', 'a#4#2', 'a#5'],
    ],
    [
      ['a#2#2', 'a', 'a', 'a#2', 'a#2'],
      ['a#2#2', 'a', 'a#2', 'a#2#3', 'a#2#4'],
    ],
  ])('are all different and as low as can be: %j', (ids, names) => {
    expect(namesOf(...ids)).toEqual(names)
  })
})
