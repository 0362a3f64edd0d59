import { isUtf8 } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, it } from 'vitest'
import { createJsonDecoder } from '../../../../src/http/body/decode-json.ts'
import { escapeNonAscii } from '../../../../src/http/body/escape-non-ascii.ts'
import { createSeededRandom } from '../../../helpers/seeded-random.ts'
import { randomJsonBytes } from './json-bytes.ts'

type Outcome = { readonly value: unknown } | { readonly error: string }

const attempt = (parse: () => unknown): Outcome => {
  try {
    return { value: parse() }
  } catch (error) {
    return { error: (error as Error).message }
  }
}

const utf8 = new TextDecoder('utf-8')
const reference = (body: Buffer) => attempt(() => JSON.parse(utf8.decode(body)))

const beginsWithMark = (body: Buffer) => body.toString('latin1', 0, 3) === 'ï»¿'

/** The same bytes at an address that is not a multiple of four. */
const misalign = (body: Buffer): Buffer => {
  const room = Buffer.allocUnsafeSlow(body.length + 1)
  body.copy(room, 1)
  return room.subarray(1)
}

describe('the JSON decoder', () => {
  it('agrees with TextDecoder and JSON.parse on 200,000 bodies, values and errors alike', {
    timeout: 180_000,
  }, () => {
    const random = createSeededRandom(20_260_101)
    const decode = createJsonDecoder({ escapeFromBytes: 0 })
    const target = Buffer.alloc(64 * 1024)
    const seen = { valid: 0, invalid: 0, escaped: 0, notUtf8: 0, marked: 0, misaligned: 0 }
    for (let run = 0; run < 200_000; run += 1) {
      const bytes = randomJsonBytes(random)
      const body = random.chance(0.2) ? misalign(bytes) : bytes
      const expected = reference(body)
      const actual = attempt(() => decode(body))
      if (!isDeepStrictEqual(actual, expected))
        expect(actual, body.toString('hex')).toEqual(expected)
      const marked = beginsWithMark(body)
      if (!marked) {
        const plain = attempt(() => JSON.parse(body.toString()))
        if (!isDeepStrictEqual(plain, expected)) expect(plain).toEqual(expected)
      }
      seen['value' in expected ? 'valid' : 'invalid'] += 1
      if (marked) seen.marked += 1
      if (body.byteOffset % 4 !== 0) seen.misaligned += 1
      if (!isUtf8(body)) seen.notUtf8 += 1
      else if (!marked) {
        // The text that is parsed instead, whether or not the decoder would have found it worth it.
        const written = escapeNonAscii(body, target, Number.POSITIVE_INFINITY)
        const ascii = target.toString('latin1', 0, Math.max(written, 0))
        const escaped = written === -1 ? undefined : attempt(() => JSON.parse(ascii))
        if (escaped === undefined || 'error' in escaped) {
          expect(expected, body.toString('hex')).toHaveProperty('error')
        } else if (!isDeepStrictEqual(escaped, expected)) {
          expect(escaped, body.toString('hex')).toEqual(expected)
        }
        if (ascii.length > body.length) seen.escaped += 1
      }
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(1_000)
    expect(seen.valid).toBeGreaterThan(80_000)
    expect(seen.invalid).toBeGreaterThan(80_000)
    expect(seen.escaped).toBeGreaterThan(50_000)
  })

  const decode = createJsonDecoder({ escapeFromBytes: 0 })

  it.each<[string, number[], unknown]>([
    ['an overlong quote', [0x22, 0xc0, 0xa2, 0x22], '\ufffd\ufffd'],
    ['half a character at the end of a string', [0x22, 0xe2, 0x82, 0x22], '\ufffd'],
    [
      'a surrogate pair in UTF-8',
      [0x22, 0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80, 0x22],
      '\ufffd'.repeat(6),
    ],
    ['a character beyond Unicode', [0x22, 0xf4, 0x90, 0x80, 0x80, 0x22], '\ufffd'.repeat(4)],
    ['a character of four bytes', [0x22, 0xf0, 0x9f, 0x98, 0x80, 0x22], '😀'],
    ['a byte order mark before it', [0xef, 0xbb, 0xbf, 0x22, 0xc3, 0xa9, 0x22], 'é'],
    ['a byte order mark within it', [0x22, 0xef, 0xbb, 0xbf, 0x22], '\ufeff'],
  ])('reads a string with %s as WHATWG says', (_, body, value) => {
    expect(decode(Buffer.from(body))).toBe(value)
  })

  it.each<[string, string]>([
    ['two byte order marks', '\ufeff\ufeff1'],
    ['a character after a backslash', '"\\é"'],
    ['a character after three backslashes', '"\\\\\\é"'],
    ['a character outside of strings', '[1,é]'],
    ['a space that JSON does not know', '\u00a01'],
    ['an escape that a character cuts', '"\\u00é9"'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(() => decode(Buffer.from(text))).toThrow(SyntaxError)
  })

  it('keeps the last of duplicate members, and __proto__ as a member of its own', () => {
    const value = decode(Buffer.from('{"é":1,"é":2,"__proto__":{"x":"é"},"constructor":{}}'))
    expect(JSON.stringify(value)).toBe('{"é":2,"__proto__":{"x":"é"},"constructor":{}}')
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
  })

  it.each<[string, string]>([
    ['mostly ASCII', `${'The café. '.repeat(30)}${'plain '.repeat(40_000)}`],
    ['wholly ASCII', 'plain '.repeat(40_000)],
    ['of characters that grow when escaped', 'Привет, мир. '.repeat(10_000)],
    ['of characters of four bytes', '😀'.repeat(50_000)],
    ['ASCII to its last character', `${'plain '.repeat(40_000)}é`],
  ])('reads a large body that is %s', (_, text) => {
    const value = { messages: [{ role: 'user', content: text }] }
    expect(createJsonDecoder()(Buffer.from(JSON.stringify(value)))).toEqual(value)
  })

  it('reads a body that is larger than the scratch it keeps', () => {
    const value = ['é', 'x'.repeat(17 * 1024 * 1024)]
    expect(isDeepStrictEqual(createJsonDecoder()(Buffer.from(JSON.stringify(value))), value)).toBe(
      true,
    )
  })

  it('does not let one body show through in the next', () => {
    const decoder = createJsonDecoder({ escapeFromBytes: 0 })
    const first = decoder(Buffer.from(JSON.stringify([`é${'first'.repeat(100)}`])))
    const second = decoder(Buffer.from(JSON.stringify(['é'])))
    expect(first).toEqual([`é${'first'.repeat(100)}`])
    expect(second).toEqual(['é'])
  })
})

describe('escapeNonAscii', () => {
  it('gives up when the result does not fit', () => {
    const source = Buffer.from('"aé"')
    const target = Buffer.alloc(14)
    const written = escapeNonAscii(source, target, Number.POSITIVE_INFINITY)
    expect(target.toString('latin1', 0, written)).toBe('"a\\u00e9"')
    for (let size = 0; size < written; size += 1) {
      expect(escapeNonAscii(source, Buffer.alloc(size), Number.POSITIVE_INFINITY)).toBe(-1)
    }
  })

  it('gives up early on text that would grow too much', () => {
    const source = Buffer.from('é'.repeat(100_000))
    const target = Buffer.alloc(source.length * 3 + 12)
    expect(escapeNonAscii(source, target, 1_000)).toBe(-1)
    expect(target.indexOf(0)).toBeLessThan(2_000)
    expect(escapeNonAscii(source, target, Number.POSITIVE_INFINITY)).toBe(source.length * 3)
  })
})
