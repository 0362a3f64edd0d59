import { describe, expect, it } from 'vitest'
import { encodeJson } from '../../../../src/http/body/encode-json.ts'
import { createSeededRandom, type SeededRandom } from '../../../helpers/seeded-random.ts'
import { randomValue } from './json-bytes.ts'

const reference = (value: unknown) => Buffer.from(JSON.stringify(value))

/** What a handler could hand over that is no JSON: it is left out, or null. */
const NO_JSON: readonly unknown[] = [undefined, () => 1, Symbol('s'), Number.NaN, new Date(0)]

const randomMember = (random: SeededRandom): unknown => {
  if (random.chance(0.1)) return random.pick(NO_JSON)
  if (random.chance(0.5)) return randomValue(random)
  const length = random.pick([0, 1, 2, 15, 16, 17, 31, 32, 33])
  return Array.from({ length }, () =>
    random.chance(0.05) ? random.pick(NO_JSON) : randomValue(random, 4),
  )
}

const randomResponse = (random: SeededRandom): unknown => {
  if (random.chance(0.1)) return randomValue(random)
  const names = ['messages', 'a"b', '', '7', 'é😀', '\ud83d', 'x'.repeat(20)]
  return Object.fromEntries(
    Array.from({ length: random.below(5) }, () => [random.pick(names), randomMember(random)]),
  )
}

describe('encodeJson', () => {
  it('gives the bytes of JSON.stringify for 200,000 values', { timeout: 180_000 }, () => {
    const random = createSeededRandom(7)
    const seen = { loneSurrogate: 0, nonAscii: 0, manyElements: 0, leftOut: 0 }
    for (let run = 0; run < 200_000; run += 1) {
      const value = randomResponse(random)
      const expected = reference(value)
      const actual = encodeJson(value)
      if (!actual.equals(expected)) expect(actual.toString()).toBe(expected.toString())
      if (expected.includes('\\ud83d')) seen.loneSurrogate += 1
      if (expected.length > expected.toString().length) seen.nonAscii += 1
      const members = typeof value === 'object' && value !== null ? Object.values(value) : []
      if (members.some((member) => Array.isArray(member) && member.length > 16)) {
        seen.manyElements += 1
      }
      if (members.includes(undefined)) seen.leftOut += 1
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1_000)
  })

  class Report {
    readonly messages = ['a', 'b']
    toJSON() {
      return { replaced: true }
    }
  }
  const hole = [1, 2, 3]
  delete hole[1]

  it.each<[string, unknown]>([
    ['a class with toJSON', new Report()],
    ['a member with toJSON', { report: new Report(), date: new Date(0) }],
    ['an array with toJSON', { messages: Object.assign([1], { toJSON: () => 'array' }) }],
    ['a boxed string', new String('boxed')],
    ['a map', new Map([[1, 2]])],
    ['no prototype', Object.assign(Object.create(null), { messages: [1] })],
    ['a hole', { messages: hole }],
    ['inherited and hidden members', Object.defineProperty({ a: [1] }, 'hidden', { value: [2] })],
    ['a __proto__ member', JSON.parse('{"__proto__":[1,2],"messages":[{"__proto__":null}]}')],
    ['an array', [{ a: 1 }, [2]]],
  ])('gives the bytes of JSON.stringify for a value with or that is %s', (_, value) => {
    expect(encodeJson(value).toString()).toBe(reference(value).toString())
  })

  it('writes messages that are larger than its buffer', () => {
    const sizes = [10, 100_000, 8_192, 8_193, 3_000_000, 1, 65_536]
    const messages = sizes.flatMap((size) => [
      'x'.repeat(size),
      'é'.repeat(size),
      '漢'.repeat(size),
    ])
    const value = { before: 'é'.repeat(100_000), messages, after: '漢'.repeat(70_000) }
    expect(encodeJson(value).equals(reference(value))).toBe(true)
    const large = { messages: ['x'.repeat(20 * 1024 * 1024), 'é'] }
    expect(encodeJson(large).equals(reference(large))).toBe(true)
    expect(encodeJson(value).equals(reference(value))).toBe(true)
  })

  it('gives bytes that no later call changes', () => {
    const first = encodeJson({ messages: ['first'] })
    encodeJson({ messages: ['second, and longer'] })
    expect(first.toString()).toBe('{"messages":["first"]}')
  })

  it('survives being called by a toJSON method, and a failure half way', () => {
    const inner = { toJSON: () => encodeJson({ inside: ['inner', 'é'] }).toString() }
    const value = { messages: ['outer', inner, 'last'] }
    expect(encodeJson(value).toString()).toBe(reference(value).toString())
    const failing = {
      messages: [
        'written',
        {
          toJSON: () => {
            throw new RangeError('half way')
          },
        },
      ],
    }
    expect(() => encodeJson(failing)).toThrow(RangeError)
    expect(encodeJson(value).toString()).toBe(reference(value).toString())
  })

  it('throws what JSON.stringify throws', () => {
    const cycle: Record<string, unknown> = {}
    cycle.messages = [cycle]
    expect(() => encodeJson(cycle)).toThrow(TypeError)
    expect(() => encodeJson({ messages: [1n] })).toThrow(TypeError)
    expect(() => encodeJson(undefined)).toThrow(TypeError)
  })
})
