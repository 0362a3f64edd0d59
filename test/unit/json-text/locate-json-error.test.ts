import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { locateJsonError } from '../../../src/json-text/locate-json-error.ts'
import { processorTime, TIMED } from '../../helpers/timed.ts'

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** JSON texts with one character deleted, doubled or replaced, which are mostly not JSON. */
const almostJson = fc
  .tuple(
    fc.json({ maxDepth: 4 }),
    fc.nat(),
    fc.constantFrom(
      '',
      '"',
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '\\',
      '0',
      '-',
      '.',
      'e',
      '\n',
      'u',
      '\u0001',
    ),
    fc.boolean(),
  )
  .map(([text, seed, character, replaces]) => {
    const at = seed % (text.length + 1)
    return text.slice(0, at) + character + text.slice(replaces ? at + 1 : at)
  })

describe('locateJsonError', () => {
  it.each([
    ['', 0],
    ['   ', 3],
    ['{"a": abc}', 6],
    ['nan', 1],
    ['{"a":1,}', 7],
    ['[1,]', 3],
    ['[1 2]', 3],
    ['{"a" 1}', 5],
    ["{'a':1}", 1],
    ['{"a":1]', 6],
    ['[1}', 2],
    ['{"a":[1,2', 9],
    ['"open', 5],
    ['"tab\there"', 4],
    ['"\\x"', 2],
    ['"\\u12g4"', 5],
    ['01', 1],
    ['-', 1],
    ['1.', 2],
    ['1e+', 3],
    ['+1', 0],
    ['nul', 3],
    ['true false', 5],
    ['NaN', 0],
    ['{"a":undefined}', 5],
    ['[tru]', 4],
    ['\u00a0{}', 0],
  ])('finds where %j stops being JSON', (text, offset) => {
    expect(isJson(text)).toBe(false)
    expect(locateJsonError(text)?.offset).toBe(offset)
  })

  it('counts lines and columns from 1', () => {
    expect(locateJsonError('{\n  "a": 1,\n  "b": oops\n}')).toEqual({
      offset: 19,
      line: 3,
      column: 8,
    })
  })

  it('finds a fault exactly where JSON.parse does not accept the text', () => {
    fc.assert(
      fc.property(fc.oneof(almostJson, fc.json(), fc.string()), (text) => {
        expect(locateJsonError(text) === undefined).toBe(isJson(text))
      }),
      { numRuns: 5_000, seed: 4711 },
    )
  })

  it('agrees with V8 wherever V8 names a position, to the few characters of an escape', () => {
    let compared = 0
    fc.assert(
      fc.property(almostJson, (text) => {
        try {
          JSON.parse(text)
        } catch (error) {
          const position = /at position (\d+)/.exec(String(error))?.[1]
          if (position === undefined) return
          compared += 1
          const offset = locateJsonError(text)?.offset ?? Number.NaN
          const tolerance = String(error).includes('escape') ? 4 : 0
          expect(Math.abs(offset - Number(position))).toBeLessThanOrEqual(tolerance)
        }
      }),
      { numRuns: 3_000, seed: 4711 },
    )
    expect(compared).toBeGreaterThan(300)
  })

  it(
    'takes no longer than its length asks for, however deep or long the text is',
    TIMED,
    async () => {
      const milliseconds = await processorTime(() => {
        expect(locateJsonError('['.repeat(2_000_000))?.offset).toBe(2_000_000)
        expect(locateJsonError(`"${'\\u0041'.repeat(500_000)}`)?.offset).toBe(3_000_001)
        expect(locateJsonError(`[${'9'.repeat(2_000_000)}`)?.offset).toBe(2_000_001)
      })
      expect(milliseconds).toBeLessThan(5_000)
    },
  )
})
