import { describe, expect, it } from 'vitest'
import { createLongPieceMerge } from '../../../src/tokens/long-piece-merge.ts'
import { loadVocabulary } from '../../../src/tokens/vocabulary.ts'
import { createRandom } from './random.ts'
import { referenceCount } from './reference-encodings.ts'

const ALPHABETS = ['ab', 'aab', 'abcdefghijklmnopqrstuvwxyz', 'the', 'ion', 'qz', '天地玄黄宇宙']

describe.each(['o200k_base', 'cl100k_base'] as const)('a long piece of %s', (name) => {
  const vocabulary = loadVocabulary(name)

  // Windows far shorter than in use, so that most cuts have to be made anew with longer ones.
  it.each([8, 16, 24, 40, 64, 160, 512])('has the same tokens in windows of %i bytes', (window) => {
    const merge = createLongPieceMerge(vocabulary, window)
    const random = createRandom(window)
    for (let round = 0; round < 150; round++) {
      const alphabet = [...random.pick(ALPHABETS)]
      const length = 1 + random.below(400)
      const piece = Array.from({ length }, () => random.pick(alphabet)).join('')
      const bytes = Buffer.from(piece)
      const offset = random.below(5)
      const padded = new Uint8Array(offset + bytes.length + 8).fill(0x61)
      padded.set(bytes, offset)
      expect(
        merge(padded, new DataView(padded.buffer), offset, bytes.length),
        `${window} ${piece}`,
      ).toBe(referenceCount(name, piece))
    }
  })
})
