import { describe, expect, it } from 'vitest'
import { isNestedDeeperThan } from '../../../../src/http/body/nesting-depth.ts'
import { createSeededRandom } from '../../../helpers/seeded-random.ts'
import { TIMED } from '../../../helpers/timed.ts'
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

const isDeeper = (text: string, maxDepth: number) => isNestedDeeperThan(Buffer.from(text), maxDepth)

describe('isNestedDeeperThan', () => {
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
  ])('reads 4 MB of %s in less time than a parser would', TIMED, (_, text) => {
    const body = Buffer.from(text)
    const started = performance.now()
    isNestedDeeperThan(body, 5_000_000)
    expect(performance.now() - started).toBeLessThan(500)
  })
})
