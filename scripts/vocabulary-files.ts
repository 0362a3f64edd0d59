import { createRequire } from 'node:module'
import { Tiktoken } from 'tiktoken'
import {
  CASELESS,
  CODE_POINTS,
  LOWER,
  MARK,
  NEWLINE,
  NUMBER,
  OTHER,
  SPACE,
  UPPER,
} from '../src/tokens/character-classes.ts'
import { type EncodingName, packVocabulary } from '../src/tokens/vocabulary.ts'

const require = createRequire(import.meta.url)

/** Names and contents of the files in src/tokens/vocabulary. */
export function buildVocabularyFiles(): Map<string, Buffer> {
  return new Map([
    ['o200k_base.bin', buildVocabulary('o200k_base')],
    ['cl100k_base.bin', buildVocabulary('cl100k_base')],
    ['character-classes.bin', packClasses(probeClasses())],
  ])
}

/** The package's form is one line `! firstRank token token ...`, tokens in base64 in the order of rank. */
function buildVocabulary(name: EncodingName): Buffer {
  const { bpe_ranks: ranks } = require(`tiktoken/encoders/${name}.json`) as { bpe_ranks: string }
  const [mark, firstRank, ...tokens] = ranks.trim().split(/\s/)
  if (mark !== '!' || firstRank !== '0' || tokens.includes('!')) {
    throw new Error(`${name}: ranks are not in one line from 0 on`)
  }
  if (new Set(tokens).size !== tokens.length) throw new Error(`${name}: a token is there twice`)
  return Buffer.from(packVocabulary(tokens.map((token) => Buffer.from(token, 'base64'))))
}

const CLASS_PATTERNS: readonly (readonly [string, number])[] = [
  ['\\s', SPACE],
  ['[\\r\\n]', NEWLINE],
  ['\\p{N}', NUMBER],
  ['\\p{M}', MARK],
  ['[\\p{Lm}\\p{Lo}]', CASELESS],
  ['[\\p{Lu}\\p{Lt}]', UPPER],
  ['\\p{Ll}', LOWER],
]

/**
 * Asks tiktoken's own regex engine: an encoder whose pattern is one class and whose tokens are the single
 * bytes gives back, from a text of all code points, those in the class.
 */
function probeClasses(): Uint8Array {
  const classes = new Uint8Array(CODE_POINTS).fill(OTHER)
  const singleBytes = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte).toString('base64'))
  const planes = Array.from({ length: CODE_POINTS >> 16 }, (_, plane) => planeText(plane))
  for (const [pattern, kind] of CLASS_PATTERNS) {
    const encoder = new Tiktoken(`! 0 ${singleBytes.join(' ')}`, {}, pattern)
    for (const text of planes) {
      const members = Buffer.from(Uint8Array.from(encoder.encode_ordinary(text))).toString('utf8')
      for (const member of members) classes[member.codePointAt(0) as number] = kind
    }
    encoder.free()
  }
  return classes
}

function planeText(plane: number): string {
  let text = ''
  for (let low = 0; low < 0x10000; low++) {
    const codePoint = plane * 0x10000 + low
    if (codePoint < 0xd800 || codePoint > 0xdfff) text += String.fromCodePoint(codePoint)
  }
  return text
}

/** Runs of equal class, each a varint of `length * 8 + class`. */
function packClasses(classes: Uint8Array): Buffer {
  const packed: number[] = []
  let start = 0
  while (start < classes.length) {
    let end = start + 1
    while (end < classes.length && classes[end] === classes[start]) end++
    let value = (end - start) * 8 + (classes[start] as number)
    for (; value >= 0x80; value = Math.floor(value / 0x80)) packed.push((value % 0x80) | 0x80)
    packed.push(value)
    start = end
  }
  return Buffer.from(packed)
}
