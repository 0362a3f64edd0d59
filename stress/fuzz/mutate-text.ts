import { gzipSync } from 'node:zlib'
import type { SeededRandom } from '../../test/helpers/seeded-random.ts'

/** What no JSON value can show: the text of a body, broken in one place. */
type MutateText = (random: SeededRandom, text: string) => Buffer

const insertAt = (text: string, at: number, what: string): Buffer =>
  Buffer.from(text.slice(0, at) + what + text.slice(at))

/** Behind a random one of the places where this text stands. */
function behind(random: SeededRandom, text: string, mark: string, what: string): Buffer {
  const start = random.below(text.length)
  const found = text.indexOf(mark, start)
  const at = found === -1 ? text.indexOf(mark) : found
  return insertAt(text, at + mark.length, what)
}

/** More of them, inside a text, keep the tokeniser of the provider that is tested against busy for seconds. */
const MANY_SPACES = 5_000

const MUTATIONS: Readonly<Record<string, MutateText>> = {
  'key repeated': (random, text) => {
    const key = random.pick(['messages', 'role', 'content', 'type', 'format', '__proto__', 'a'])
    const value = random.pick(['null', '[]', '"user"', '{}', '1'])
    return behind(random, text, '{', `"${key}":${value},`)
  },
  'byte flipped': (random, text) => {
    const bytes = Buffer.from(text)
    const at = random.below(bytes.length)
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    return bytes
  },
  'bytes taken out': (random, text) => {
    const bytes = Buffer.from(text)
    const at = random.below(bytes.length)
    const end = at + 1 + random.below(40)
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(end)])
  },
  'cut off': (random, text) => Buffer.from(text).subarray(0, random.below(text.length)),
  'byte order mark': (_random, text) => Buffer.from(`\ufeff${text}`),
  'more behind it': (random, text) =>
    Buffer.from(text + random.pick(['{}', ',', '\0', text, ' \n\t', '//'])),
  'comma too many': (random, text) => behind(random, text, random.pick(['{', '[', ',']), ','),
  'not a number': (random, text) =>
    behind(random, text, ':', `${random.pick(['NaN', '1e400', '-', '01', '.5', '0x1', '--1'])},`),
  'number in the place of a value': (random, text) =>
    Buffer.from(
      text.replace(/:\d+(?=[,}])/, `:${random.pick(['1e400', '-1e400', '1E5', '-0', '1.0'])}`),
    ),
  'raw control character': (random, text) =>
    behind(random, text, '"', random.pick(['\0', '\n', '\u001f', '\u007f'])),
  'bytes that are no UTF-8': (random, text) => {
    const bytes = Buffer.from(text)
    const at = bytes.indexOf('"', random.below(bytes.length)) + 1
    const wrong = random.pick([[0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80]])
    return Buffer.concat([bytes.subarray(0, at), Buffer.from(wrong), bytes.subarray(at)])
  },
  'escapes that are none': (random, text) =>
    behind(random, text, '"', random.pick(['\\x', '\\u12', '\\', '\\ud800', '\\u0000'])),
  'UTF-16': (_random, text) => Buffer.from(text, 'utf16le'),
  'much white space': (random, text) => behind(random, text, ',', ' '.repeat(MANY_SPACES)),
  'written with spaces': (_random, text) =>
    Buffer.from(JSON.stringify(JSON.parse(text), null, '\t')),
  empty: () => Buffer.alloc(0),
  packed: (_random, text) => gzipSync(text),
}

export const TEXT_MUTATIONS = Object.keys(MUTATIONS)

export function mutateText(random: SeededRandom, name: string, text: string): Buffer {
  return MUTATIONS[name]?.(random, text) ?? Buffer.from(text)
}
