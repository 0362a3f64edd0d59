import { describe, expect, it } from 'vitest'
import { BODY_BOUNDS, findBrokenBound } from '../../../../src/http/body/structure-bounds.ts'
import { createSeededRandom } from '../../../helpers/seeded-random.ts'
import { processorTime, TIMED } from '../../../helpers/timed.ts'
import { randomJsonBytes } from './json-bytes.ts'

/** Strings are cut out by a regular expression, brackets are counted in what remains. */
const depthOf = (text: string): number => {
  let depth = 0
  let deepest = 0
  for (const char of text.replace(/"(?:[^"\\]|\\.)*"/gs, '')) {
    if (char === '[' || char === '{') depth += 1
    if (char === ']' || char === '}') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

const isNestedDeeperThan = (body: Buffer, maxDepth: number) =>
  findBrokenBound(body, { maxDepth, maxValues: Number.POSITIVE_INFINITY }) === 'max-depth'

const isDeeper = (text: string, maxDepth: number) => isNestedDeeperThan(Buffer.from(text), maxDepth)

describe('the bound on depth', () => {
  it('agrees with a count over the text without its strings, on every JSON text of 100,000', () => {
    const random = createSeededRandom(512)
    const seen = new Map<number, number>()
    for (let run = 0; run < 100_000; run += 1) {
      const body = randomJsonBytes(random)
      const text = body.toString()
      if (!isJson(text)) continue
      const depth = depthOf(text)
      seen.set(depth, (seen.get(depth) ?? 0) + 1)
      expect(isNestedDeeperThan(body, depth), text).toBe(false)
      if (depth > 0) expect(isNestedDeeperThan(body, depth - 1), text).toBe(true)
    }
    for (const depth of [0, 1, 2, 3, 4]) expect(seen.get(depth)).toBeGreaterThan(500)
  })

  it.each([
    ['brackets in a string', '["[[[[[["]'],
    ['brackets after an escaped quote', '["\\"[[[[[["]'],
    ['brackets after an escaped quote far into a string', `["${'x'.repeat(200)}\\"[[[[[["]`],
    ['brackets after many backslashes and a quote', `["${'\\'.repeat(401)}"[[[[[["]`],
    ['brackets in a member name', '{"[[[[[[":1}'],
  ])('does not count %s', (_, text) => {
    expect(isDeeper(text, 1)).toBe(false)
  })

  it.each([
    ['after an escaped backslash', '["\\\\",[[2]]]'],
    ['after many escaped backslashes', `["${'\\'.repeat(400)}",[[2]]]`],
    ['after a long string', `["${'x'.repeat(1_000)}",[[2]]]`],
    ['after a long string that ends in a backslash', `["${'x'.repeat(1_000)}\\\\",[[2]]]`],
  ])('counts brackets %s', (_, text) => {
    expect(isDeeper(text, 2)).toBe(true)
    expect(isDeeper(text, 3)).toBe(false)
  })

  it('takes back what is closed', () => {
    expect(isDeeper(`[${'[],{},'.repeat(1_000)}1]`, 2)).toBe(false)
  })

  it.each([
    ['a text that opens for ever', '['.repeat(4_000_000)],
    ['a string of escaped quotes', `"${'\\"'.repeat(2_000_000)}"`],
    ['a string of backslashes', `"${'\\'.repeat(4_000_000)}"`],
    ['a string that never ends', `"${'x'.repeat(4_000_000)}`],
    ['many strings that just miss the fast way', `["${`${'x'.repeat(24)}","`.repeat(150_000)}"]`],
    ['escaped quotes that just miss it', `["${`${'x'.repeat(23)}\\"`.repeat(160_000)}"]`],
  ])('reads 4 MB of %s in less time than a parser would', TIMED, async (_, text) => {
    const body = Buffer.from(text)
    expect(await processorTime(() => isNestedDeeperThan(body, 5_000_000))).toBeLessThan(500)
  })
})

/** Every value and every member's value, an empty container once more. */
const valuesOf = (value: unknown): number => {
  if (typeof value !== 'object' || value === null) return 1
  const inside = Object.values(value)
  return inside.reduce((sum, each) => sum + valuesOf(each), inside.length === 0 ? 2 : 1)
}

describe('the bound on values', () => {
  const isMore = (body: Buffer, maxValues: number) =>
    findBrokenBound(body, { maxDepth: 1_000, maxValues }) === 'max-values'

  it('is that of the values that a parser builds, on every JSON text of 20,000', () => {
    const random = createSeededRandom(77)
    let compared = 0
    for (let run = 0; run < 20_000; run += 1) {
      const body = randomJsonBytes(random)
      const text = body.toString()
      // Of two members of one name a parser keeps one.
      if (
        !isJson(text) ||
        JSON.stringify(JSON.parse(text)).length !== text.replace(/\s/g, '').length
      )
        continue
      const values = valuesOf(JSON.parse(text)) - 1
      expect(isMore(body, values), text).toBe(false)
      if (values > 0) expect(isMore(body, values - 1), text).toBe(true)
      compared += 1
    }
    expect(compared).toBeGreaterThan(2_000)
  })

  it('does not count what stands in strings', () => {
    expect(isMore(Buffer.from('["a,b,[{,","\\",,,"]'), 2)).toBe(false)
  })

  it('refuses what would take many times its length in memory, and takes any conversation', () => {
    const empty = Buffer.from(`[${'{},'.repeat(1_000_001)}{}]`)
    expect(findBrokenBound(empty, BODY_BOUNDS)).toBe('max-values')
    const short = JSON.stringify({ role: 'user', content: 'go on' })
    const most = Buffer.from(`{"messages":[${`${short},`.repeat(600_000)}${short}]}`)
    expect(findBrokenBound(most, BODY_BOUNDS)).toBeUndefined()
  })
})
