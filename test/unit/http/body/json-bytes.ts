import type { SeededRandom } from '../../../helpers/seeded-random.ts'

const bytes = (...values: number[]) => Buffer.from(values)

/** Pieces of JSON text, good and bad, as bytes: whatever a decoder could get wrong. */
const FRAGMENTS: readonly Buffer[] = [
  ...['"', '\\', '\\\\', '\\"', '\\n', '\\/', '\\u00e9', '\\ud83d', '\\ude00', '\\ud83d\\ude00'],
  ...[
    '\\u',
    '\\u0',
    '\\u00',
    '\\u00e',
    '\\x',
    '\\\\u00e9',
    '{',
    '}',
    '[',
    ']',
    ':',
    ',',
    ' ',
    '\n',
  ],
  ...['0', '-0', '1e5', '12345678901234567890', '1e400', 'true', 'null', 'nul', 'a', '\t', '\0'],
  ...['"a":', '"__proto__":', '"constructor":', '"a":1,"a":', '/', '\u007f', 'u00e9'],
  ...[
    'é',
    'ÿ',
    '\u0080',
    '\u07ff',
    '\u0800',
    '漢',
    '\u2028',
    '\ufffd',
    '\uffff',
    '😀',
    '\u{10ffff}',
  ],
  ...['a'.repeat(70), 'é'.repeat(9), '\\'.repeat(66), '\\"'.repeat(40), `${'b'.repeat(23)}\\`],
].map((text) => Buffer.from(text))

/** Everything that is not UTF-8, and what only looks as if it were not. */
const ODD_BYTES: readonly Buffer[] = [
  bytes(0xef, 0xbb, 0xbf), // byte order mark
  bytes(0xfe, 0xff),
  bytes(0x80),
  bytes(0xbf),
  bytes(0xc0, 0x80), // overlong NUL
  bytes(0xc0, 0xa2), // overlong quote
  bytes(0xc1, 0x9c), // overlong backslash
  bytes(0xc3), // truncated
  bytes(0xe0, 0x80, 0xaf), // overlong
  bytes(0xe2, 0x82), // truncated
  bytes(0xe2, 0x22),
  bytes(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), // surrogate pair in UTF-8
  bytes(0xed, 0xa0, 0xbd), // half of one
  bytes(0xed, 0x9f, 0xbf),
  bytes(0xf0, 0x80, 0x80, 0xaf), // overlong
  bytes(0xf0, 0x9f, 0x98), // truncated
  bytes(0xf0, 0x9f, 0x5c),
  bytes(0xf4, 0x90, 0x80, 0x80), // beyond Unicode
  bytes(0xf5),
  bytes(0xff),
]

const TEXTS = FRAGMENTS.map((fragment) => fragment.toString())

const randomText = (random: SeededRandom): string => {
  let text = ''
  for (let count = random.below(6); count > 0; count -= 1) text += random.pick(TEXTS)
  return random.chance(0.05) ? text + random.pick(['\ud83d', '\ude00']) : text
}

/** Any value that has JSON, deeper and wider than a request usually is. */
export const randomValue = (random: SeededRandom, depth = 0): unknown => {
  const kind = random.below(depth > 4 ? 5 : 8)
  if (kind <= 1) return randomText(random)
  if (kind === 2) return random.pick([0, -0, 1, -1.5, 1e21, 5e-324, 12345678901234567000])
  if (kind === 3) return random.pick([null, true, false])
  if (kind === 4) return random.pick([[], {}, ''])
  const size = random.below(4)
  if (kind === 5) return Array.from({ length: size }, () => randomValue(random, depth + 1))
  return Object.fromEntries(
    Array.from({ length: size }, () => [
      random.chance(0.1) ? '__proto__' : randomText(random),
      randomValue(random, depth + 1),
    ]),
  )
}

const soup = (random: SeededRandom, odd: number): Buffer => {
  const parts: Buffer[] = []
  for (let count = 1 + random.below(8); count > 0; count -= 1) {
    parts.push(random.pick(random.chance(odd) ? ODD_BYTES : FRAGMENTS))
  }
  return Buffer.concat(parts)
}

/** One change that a broken client, proxy or disk would make. */
const damage = (random: SeededRandom, text: Buffer): Buffer => {
  const at = random.below(text.length + 1)
  const head = text.subarray(0, at)
  switch (random.below(5)) {
    case 0:
      return head
    case 1:
      return Buffer.concat([head, text.subarray(at + 1)])
    case 2:
      return Buffer.concat([head, random.pick(ODD_BYTES), text.subarray(at)])
    case 3:
      return Buffer.concat([head, random.pick(FRAGMENTS), text.subarray(at)])
    default: {
      const copy = Buffer.from(text)
      if (at < copy.length) copy[at] = random.below(256)
      return copy
    }
  }
}

/** JSON text with characters as they are or escaped, indented or not; or something near it. */
export const randomJsonBytes = (random: SeededRandom): Buffer => {
  const kind = random.below(10)
  if (kind < 4) {
    const text = Buffer.from(JSON.stringify(randomValue(random), null, random.below(2)))
    const marked = random.chance(0.05) ? Buffer.concat([bytes(0xef, 0xbb, 0xbf), text]) : text
    return random.chance(0.5) ? marked : damage(random, marked)
  }
  if (kind < 8) {
    const quote = bytes(0x22)
    return Buffer.concat([quote, soup(random, random.chance(0.5) ? 0 : 0.3), quote])
  }
  return soup(random, 0.2)
}
