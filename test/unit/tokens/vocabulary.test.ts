import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { buildVocabularyFiles } from '../../../scripts/vocabulary-files.ts'
import { loadCharacterClasses } from '../../../src/tokens/character-classes.ts'
import {
  indexVocabulary,
  loadVocabulary,
  NO_RANK,
  packVocabulary,
  unpackVocabulary,
} from '../../../src/tokens/vocabulary.ts'
import { createRandom } from './random.ts'
import { ENCODING_NAMES } from './reference-encodings.ts'

describe('the committed vocabulary files', () => {
  const built = buildVocabularyFiles()

  it.each([...built.keys()])('%s is what the installed tiktoken package gives', (file) => {
    const committed = readFileSync(
      new URL(`../../../src/tokens/vocabulary/${file}`, import.meta.url),
    )
    expect(committed.equals(built.get(file) ?? Buffer.alloc(0))).toBe(true)
  })
})

describe('a vocabulary', () => {
  it.each(ENCODING_NAMES)('finds every token of %s at its rank', (name) => {
    const { rankOf } = loadVocabulary(name)
    const file = readFileSync(
      new URL(`../../../src/tokens/vocabulary/${name}.bin`, import.meta.url),
    )
    const { lengths, bytes } = unpackVocabulary(file)
    const padded = new Uint8Array(bytes.length + 8)
    padded.set(bytes)
    const view = new DataView(padded.buffer)
    let start = 0
    const misplaced: number[] = []
    for (const [rank, length] of lengths.entries()) {
      if (rankOf(view, start, length) !== rank) misplaced.push(rank)
      start += length
    }
    expect(misplaced).toEqual([])
    expect(lengths.length).toBe(name === 'o200k_base' ? 199_998 : 100_256)
  })

  it('knows no bytes that are not a token', () => {
    const { rankOf, longest, pairs } = indexVocabulary(
      unpackVocabulary(packVocabulary(['a', 'b', 'ab', 'abc'].map((token) => Buffer.from(token)))),
    )
    const padded = new Uint8Array(32)
    padded.set(Buffer.from('abcabd'))
    const view = new DataView(padded.buffer)
    expect(rankOf(view, 0, 3)).toBe(3)
    expect(rankOf(view, 3, 3)).toBe(NO_RANK)
    expect(rankOf(view, 1, 2)).toBe(NO_RANK)
    expect(rankOf(view, 0, 4)).toBe(NO_RANK)
    expect(longest).toBe(3)
    expect([pairs[0x6162], pairs[0x6263]]).toEqual([2, NO_RANK])
  })

  it('tells a token from its beginnings, even those that share its hash', () => {
    const random = createRandom(2)
    for (let round = 0; round < 1000; round++) {
      const tokens = [random.bytes(255), random.bytes(255)]
      const { rankOf } = indexVocabulary(unpackVocabulary(packVocabulary(tokens)))
      const padded = new Uint8Array(255 + 8)
      padded.set(tokens[round & 1] ?? [])
      const view = new DataView(padded.buffer)
      let found = 0
      for (let length = 1; length < 255; length++) if (rankOf(view, 0, length) !== NO_RANK) found++
      expect([found, rankOf(view, 0, 255)]).toEqual([0, round & 1])
    }
  })

  it('refuses a file that is cut', () => {
    const packed = packVocabulary([Buffer.from('a'), Buffer.from('bc')])
    expect(() => unpackVocabulary(packed.subarray(0, -1))).toThrow('cut or padded')
  })

  it('refuses tokens without bytes', () => {
    expect(() => packVocabulary([Buffer.alloc(0)])).toThrow('token 0 has a bad length')
  })
})

describe('the character classes', () => {
  it('are those of the Rust engine where it differs from JavaScript', () => {
    const classes = loadCharacterClasses()
    const space = classes[0x20]
    expect(classes[0x85]).toBe(space)
    expect(classes[0xfeff]).not.toBe(space)
    expect(classes[0xa0]).toBe(space)
    expect(classes[0x0a]).not.toBe(space)
  })
})
