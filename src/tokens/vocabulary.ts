import { readFileSync } from 'node:fs'
import { hashBytes, SPARE_BYTES, sameBytes } from './byte-hash.ts'

export type EncodingName = 'o200k_base' | 'cl100k_base'

/** Greater than every rank: the bytes are no token. */
export const NO_RANK = 0x7fffffff

/** The tokens of an encoding by their bytes. A token's rank is also its id. */
export interface Vocabulary {
  /** Bytes of the longest token. */
  readonly longest: number
  /** Rank of the two-byte tokens, at `first byte * 256 + second byte`; NO_RANK where there is none. */
  readonly pairs: Int32Array
  /** Rank of the bytes at `start`, or NO_RANK. `view` has SPARE_BYTES behind them. */
  readonly rankOf: (view: DataView, start: number, length: number) => number
}

export interface VocabularyBytes {
  readonly lengths: Uint8Array
  /** All tokens in the order of their rank, end to end. */
  readonly bytes: Uint8Array
}

/** `count` and `total` as 32-bit little-endian numbers, `count` lengths of a byte each, `total` bytes. */
export function packVocabulary(tokens: readonly Uint8Array[]): Uint8Array {
  const total = tokens.reduce((sum, token) => sum + token.length, 0)
  const packed = new Uint8Array(8 + tokens.length + total)
  const header = new DataView(packed.buffer)
  header.setUint32(0, tokens.length, true)
  header.setUint32(4, total, true)
  let position = 8 + tokens.length
  for (const [rank, token] of tokens.entries()) {
    if (token.length === 0 || token.length > 0xff) throw new Error(`token ${rank} has a bad length`)
    packed[8 + rank] = token.length
    packed.set(token, position)
    position += token.length
  }
  return packed
}

export function unpackVocabulary(packed: Uint8Array): VocabularyBytes {
  const header = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const count = header.getUint32(0, true)
  const total = header.getUint32(4, true)
  if (packed.length !== 8 + count + total) throw new Error('the vocabulary file is cut or padded')
  return { lengths: packed.subarray(8, 8 + count), bytes: packed.subarray(8 + count) }
}

/** Reads a file written by scripts/build-vocabulary.ts. */
export function loadVocabulary(name: EncodingName): Vocabulary {
  return indexVocabulary(
    unpackVocabulary(readFileSync(new URL(`./vocabulary/${name}.bin`, import.meta.url))),
  )
}

/** A slot holds `rank + 1` in its low bits and the top of the hash above, so that a miss reads no token. */
const RANK_BITS = 18
const RANK_MASK = (1 << RANK_BITS) - 1

export function indexVocabulary({ lengths, bytes }: VocabularyBytes): Vocabulary {
  const count = lengths.length
  if (count >= RANK_MASK) throw new Error('the vocabulary has more tokens than its table can name')
  const tokens = new Uint8Array(bytes.length + SPARE_BYTES)
  tokens.set(bytes)
  const tokenView = new DataView(tokens.buffer)
  const starts = new Int32Array(count)
  const slotMask = 2 ** Math.ceil(Math.log2(count * 2)) - 1
  const slots = new Int32Array(slotMask + 1)
  const pairs = new Int32Array(0x10000).fill(NO_RANK)

  let longest = 0
  let start = 0
  for (let rank = 0; rank < count; rank++) {
    const length = lengths[rank] as number
    const hash = hashBytes(tokenView, start, length)
    let slot = (hash ^ (hash >>> 15)) & slotMask
    while (slots[slot] !== 0) slot = (slot + 1) & slotMask
    slots[slot] = (hash & ~RANK_MASK) | (rank + 1)
    starts[rank] = start
    if (length === 2) pairs[((tokens[start] as number) << 8) | (tokens[start + 1] as number)] = rank
    if (length > longest) longest = length
    start += length
  }

  const rankOf = (view: DataView, at: number, length: number): number => {
    if (length > longest) return NO_RANK
    const hash = hashBytes(view, at, length)
    let slot = (hash ^ (hash >>> 15)) & slotMask
    for (;;) {
      const entry = slots[slot] as number
      if (entry === 0) return NO_RANK
      if (((entry ^ hash) & ~RANK_MASK) === 0) {
        const rank = (entry & RANK_MASK) - 1
        if (
          lengths[rank] === length &&
          sameBytes(view, at, tokenView, starts[rank] as number, length)
        ) {
          return rank
        }
      }
      slot = (slot + 1) & slotMask
    }
  }
  return { longest, pairs, rankOf }
}
