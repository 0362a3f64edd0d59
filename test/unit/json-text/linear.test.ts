import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { encodeLike } from '../../../src/json-text/encode-like.ts'
import { createJsonSource } from '../../../src/json-text/json-source.ts'
import { documentRange, elementRanges } from '../../../src/json-text/ranges.ts'
import { TIMED } from '../../helpers/timed.ts'

const SMALL = 4_000

/**
 * Eight times the text takes eight times as long, and twice that where more of it outlives a garbage
 * collection; what is quadratic takes 64 times as long.
 */
const SIZES = 8
const MOST_GROWTH = 30

/** Below this, in microseconds, it is the resolution of the clock that is measured. */
const LEAST_COST = 300

/** Of the processor, not of the clock; the least of several runs is what the work takes at least. */
const costOf = (work: () => unknown): number => {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < 4; run += 1) {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    least = Math.min(least, user + system)
  }
  return least
}

interface Case {
  readonly json: string
  readonly edit: (value: never) => unknown
}

type List = readonly unknown[]
type Item = Readonly<Record<string, unknown>>

const list = (length: number, element: (index: number) => string): string =>
  `[${Array.from({ length }, (_, index) => element(index)).join(',')}]`

const everyOther = (value: List) => value.filter((_, index) => index % 2 === 1)
const allRewritten = (value: readonly Item[]) => value.map((item) => ({ ...item, content: 'new' }))

const SHAPES: Readonly<Record<string, (size: number) => Case>> = {
  'one string of escaped quotes beside what changes': (size) => ({
    json: `["${'\\"'.repeat(size * 10)}",1]`,
    edit: ([text]: List) => [text, 2],
  }),
  'strings that just miss the search for their end': (size) => ({
    json: list(size, () => `"${'x'.repeat(23)}\\"${'\\'.repeat(40)}"`),
    edit: everyOther,
  }),
  'numbers that are all the same, every other dropped': (size) => ({
    json: list(size, () => '1.0'),
    edit: everyOther,
  }),
  'the same few primitives in backward order': (size) => ({
    json: list(size, (index) => String(index % 3)),
    edit: (value: List) => [...value].reverse(),
  }),
  'objects in backward order': (size) => ({
    json: list(size, (index) => `{"a":${index}.0}`),
    edit: (value: List) => [...value].reverse(),
  }),
  'objects rewritten that nothing tells apart': (size) => ({
    json: list(size, () => '{"role":"user","content":"x"}'),
    edit: allRewritten,
  }),
  'objects rewritten, half of them dropped, in backward order': (size) => ({
    json: list(size, (index) => `{"id":"${index}","content":"x"}`),
    edit: (value: readonly Item[]) => allRewritten(everyOther(value).reverse() as Item[]),
  }),
  'objects whose names are all different': (size) => ({
    json: list(size, (index) => `{"name ${index}":{"n":1.0},"content":"x"}`),
    edit: allRewritten,
  }),
  'inserted objects before one with very many members': (size) => ({
    json: `[{${Array.from({ length: size }, (_, index) => `"${index}x":1`).join(',')}},1]`,
    edit: () => Array.from({ length: size }, () => ({ role: 'user', content: 'inserted' })),
  }),
  'an object with very many members, half of them changed': (size) => ({
    json: `{${Array.from({ length: size }, (_, index) => `"\\u0061${index}":1.0`).join(',')}}`,
    edit: (value: Item) =>
      Object.fromEntries(
        Object.entries(value).map(([name, member], index) => [name, index % 2 ? member : 2]),
      ),
  }),
  'one name very many times': (size) => ({
    json: `{${'"a":1.0,'.repeat(size)}"b":1}`,
    edit: (value: Item) => ({ ...value, b: 2 }),
  }),
  'values that were not there': (size) => ({
    json: '[[]]',
    edit: () => Array.from({ length: size }, () => [{ new: 1 }]),
  }),
}

describe('the time that encodeLike takes', () => {
  it.each(Object.entries(SHAPES))(
    'grows with the size, and not faster, on %s',
    { timeout: 120_000, ...TIMED },
    (_, shape) => {
      const run = (size: number): (() => unknown) => {
        const { json, edit } = shape(size)
        const text = Buffer.from(json)
        const before = JSON.parse(json)
        const after = edit(before as never)
        const range = documentRange(text)
        const written = encodeLike(after, before, text, range)
        expect(isDeepStrictEqual(JSON.parse(written.toString()), after)).toBe(true)
        return () => encodeLike(after, before, text, range)
      }
      const small = costOf(run(SMALL))
      const large = costOf(run(SIZES * SMALL))
      expect(large / Math.max(small, LEAST_COST)).toBeLessThan(MOST_GROWTH)
    },
  )

  it('finds a million elements, and drops every other one, in seconds', {
    timeout: 120_000,
    ...TIMED,
  }, () => {
    const text = Buffer.from(`{"messages":[${'{"n":1.0},'.repeat(999_999)}{"n":1.0}]}`)
    const before = JSON.parse(text.toString())
    const source = createJsonSource(text, { elementsOf: 'messages' })
    expect(source.elements('messages')).toHaveLength(1_000_000)
    const after = everyOther(before.messages)
    const started = process.cpuUsage()
    const written = encodeLike(after, before.messages, text, source.member('messages')!)
    expect(process.cpuUsage(started).user).toBeLessThan(5_000_000)
    expect(written.toString()).toBe(`[${'{"n":1.0},'.repeat(499_999)}{"n":1.0}]`)
  })
})

describe('deep nesting', () => {
  const DEPTH = 5_000

  const nested = (inner: string, depth = DEPTH) =>
    `${'[{"a":'.repeat(depth / 2)}${inner}${'},1.0]'.repeat(depth / 2)}`

  /** A copy of the value in which the innermost has become another, made level by level. */
  const withInnermost = (value: unknown, innermost: unknown): unknown => {
    const levels: unknown[] = []
    for (let level = value; typeof level === 'object' && level !== null; ) {
      levels.push(level)
      level = Array.isArray(level) ? level[0] : (level as Item).a
    }
    return levels.reduceRight<unknown>(
      (inner, level) =>
        Array.isArray(level) ? [inner, ...level.slice(1)] : { ...(level as Item), a: inner },
      innermost,
    )
  }

  it('is passed over at any depth', () => {
    const text = Buffer.from(`[${nested('0', 1_000_000)} ,2.0]`)
    const [first, second] = elementRanges(text, documentRange(text))
    expect(first).toEqual({ start: 1, end: text.length - 6 })
    expect(text.toString('utf8', second?.start, second?.end)).toBe('2.0')
  })

  it('is written where the innermost value of 5,000 levels changed', { timeout: 120_000 }, () => {
    const json = nested('"innermost"')
    const text = Buffer.from(json)
    const before = JSON.parse(json)
    const written = encodeLike(withInnermost(before, 7), before, text, documentRange(text))
    expect(written.toString()).toBe(nested('7'))
  })

  it('is written where 5,000 levels are new, beside what is kept', () => {
    const text = Buffer.from('{"kept":1e5,"new":0}')
    const json = nested('"é\\ud83d",{"b":[],"c":{},"d":[1,null]}'.replace(',', ',"e":'))
    const before = JSON.parse(text.toString())
    const after = { ...before, new: JSON.parse(json) }
    const written = encodeLike(after, before, text, documentRange(text)).toString()
    expect(written).toBe(`{"kept":1e5,"new":${json.replaceAll('1.0', '1')}}`)
  })

  it('leaves out what has no JSON, however deep', () => {
    let after: unknown = { a: undefined, b: [undefined, () => 1], c: { toJSON: () => undefined } }
    for (let level = 0; level < DEPTH; level += 1) after = [after]
    const text = Buffer.from('[1]')
    expect(encodeLike([after], [1], text, documentRange(text)).toString()).toBe(
      `[${'['.repeat(DEPTH)}{"b":[null,null]}${']'.repeat(DEPTH)}]`,
    )
  })
})
