import fc from 'fast-check'
import { createRandom, type Random } from './random.ts'

const TEXT_KINDS = [
  'prose',
  'code',
  'log',
  'json',
  'cjk',
  'emoji',
  'surrogates',
  'control',
  'base64',
  'one-line',
] as const

type TextKind = (typeof TEXT_KINDS)[number]

/** A text to be written: `length` in UTF-16 units (at least 1); same sketch, same text. */
export interface TextSketch {
  readonly kind: TextKind
  readonly length: number
  readonly seed: number
}

const seed = fc.nat({ max: 0xffff })

/** Prose most of the time, as in life; each troublesome kind often enough to meet in every run. */
const kind: fc.Arbitrary<TextKind> = fc.oneof(
  { weight: 15, arbitrary: fc.constant<TextKind>('prose') },
  { weight: 10, arbitrary: fc.constantFrom(...TEXT_KINDS) },
)

function sketch(minimum: number, maximum: number): fc.Arbitrary<TextSketch> {
  return fc.record({ kind, length: fc.integer({ min: minimum, max: maximum }), seed })
}

/** What people and assistants say: one word to a few pages. */
export const spokenText: fc.Arbitrary<TextSketch> = fc.oneof(
  { weight: 6, arbitrary: sketch(1, 200) },
  { weight: 3, arbitrary: sketch(200, 1_500) },
  { weight: 1, arbitrary: sketch(1_200, 5_000) },
)

/** What tools print: mostly up to some kilobytes, rarely the one result that fills the window. */
export const printedText: fc.Arbitrary<TextSketch> = fc.oneof(
  { weight: 10, arbitrary: sketch(1, 800) },
  { weight: 5, arbitrary: sketch(800, 4_000) },
  { weight: 1, arbitrary: sketch(10_000, 20_000) },
)

const WORDS = (
  'the we should keep retry budget of every request below limit and never touch production tables ' +
  'migrate parser tests tomorrow because staging broke after deploy please rename that variable now'
).split(' ') as [string, ...string[]]

const CJK = [
  ...'我们需要在部署之前检查配置文件并保留所有约束条件データベースの移行は明日です한국어',
] as [string, ...string[]]

const EMOJI = ['😀', '👩‍👩‍👧', '🇨🇭', '👍🏽', '🧵', 'ok', ' ', '🏳️‍🌈'] as const
const SURROGATES = ['\ud83d', '\ude00', 'x', '\udfff', ' ', 'ab', '\ud800'] as const
const CONTROL = [
  '\u0000',
  '\u001b[31m',
  '\t',
  '\r\n',
  '\u2028',
  '\ufeff',
  '\u202e',
  'z',
  '"',
  '\\',
] as const
const BASE64 = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'] as [
  string,
  ...string[],
]

const GRAIN: Readonly<Record<TextKind, (random: Random) => string>> = {
  prose: (random) => `${random.pick(WORDS)}${random.pick([' ', ' ', ' ', ', ', '. ', '\n'])}`,
  code: (random) =>
    `${' '.repeat(2 * random.below(4))}const ${random.pick(WORDS)}${random.below(90)} = call(${random.below(999)})\n`,
  log: (random) =>
    `2026-03-0${1 + random.below(9)}T10:${10 + random.below(50)}:00Z ${random.pick(['INFO', 'WARN', 'ERROR'])} id=${random.below(1e9).toString(16)} ${random.pick(WORDS)}\n`,
  json: (random) =>
    `{"${random.pick(WORDS)}":[${random.below(1e6)},null,"${random.pick(WORDS)}"]},`,
  cjk: (random) => random.pick(CJK),
  emoji: (random) => random.pick(EMOJI),
  surrogates: (random) => random.pick(SURROGATES),
  control: (random) => random.pick(CONTROL),
  base64: (random) => random.pick(BASE64) + random.pick(BASE64) + random.pick(BASE64),
  'one-line': (random) => random.pick(WORDS),
}

/** The text of a sketch. It never starts with white space, so that no text is blank. */
export function writeText({ kind: of, length, seed: from }: TextSketch): string {
  const random = createRandom(from)
  const grain = GRAIN[of]
  let text = grain(random).trimStart() || 'z'
  while (text.length < length) text += grain(random)
  return text.slice(0, Math.max(1, length))
}
