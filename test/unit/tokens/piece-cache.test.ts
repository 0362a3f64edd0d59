import { describe, expect, it } from 'vitest'
import { hashBytes } from '../../../src/tokens/byte-hash.ts'
import { createPieceCache } from '../../../src/tokens/piece-cache.ts'
import { createRandom } from './random.ts'

/** A count that differs between most pieces, so that a mistaken piece shows. */
function fakeCount(bytes: Uint8Array, start: number, length: number): number {
  let sum = 1
  for (let index = start; index < start + length; index++) {
    sum = (Math.imul(sum, 31) + (bytes[index] as number)) & 0x7fff
  }
  return sum + 1
}

function createCountedCache() {
  let computed = 0
  const cached = createPieceCache((bytes, _, start, length) => {
    computed++
    return fakeCount(bytes, start, length)
  })
  const bytes = new Uint8Array(1024)
  const view = new DataView(bytes.buffer)
  return {
    count: (piece: Uint8Array, offset = 0) => {
      bytes.set(piece, offset)
      return cached(bytes, view, offset, piece.length)
    },
    computed: () => computed,
  }
}

describe('the piece cache', () => {
  it('computes a piece once, wherever it stands and whatever stands behind it', () => {
    const cache = createCountedCache()
    for (const length of [2, 3, 4, 5, 7, 8, 9, 11, 12, 100, 256]) {
      const piece = createRandom(length).bytes(length)
      const before = cache.computed()
      const expected = fakeCount(piece, 0, length)
      cache.count(Buffer.alloc(1000, 1))
      expect(cache.count(piece, 0)).toBe(expected)
      cache.count(Buffer.alloc(1000, 2))
      expect(cache.count(piece, 3)).toBe(expected)
      // The piece once, and the two fillers, which are too long to be kept.
      expect(cache.computed() - before).toBe(3)
    }
  })

  it('tells pieces apart that differ in length or in one byte alone', () => {
    const cache = createCountedCache()
    const pieces = [2, 4, 7, 8, 9, 12, 31, 256].flatMap((length) =>
      Array.from({ length }, (_, changed) => {
        const piece = Buffer.alloc(length)
        piece[changed] = 1
        return piece
      }).concat(Buffer.alloc(length)),
    )
    for (const piece of pieces) cache.count(piece)
    expect(cache.computed()).toBe(pieces.length)
    for (const piece of pieces) expect(cache.count(piece)).toBe(fakeCount(piece, 0, piece.length))
    expect(cache.computed()).toBe(pieces.length)
  })

  it('stays right when more pieces come than it has room for', () => {
    const cache = createCountedCache()
    const random = createRandom(9)
    const recent: Buffer[] = []
    for (let round = 0; round < 400_000; round++) {
      const piece = Buffer.alloc(2 + random.below(30))
      piece.writeUInt16LE(round & 0xffff)
      if (piece.length > 8) piece.writeUInt32LE(round, 4)
      recent[round % 100] = piece
      const again = recent[random.below(recent.length)] ?? piece
      if (cache.count(piece) !== fakeCount(piece, 0, piece.length)) expect.fail(`round ${round}`)
      if (cache.count(again) !== fakeCount(again, 0, again.length)) expect.fail(`round ${round}`)
    }
    expect(cache.computed()).toBeLessThan(600_000)
  })

  it('tells pieces of a slot apart that share their first four bytes', () => {
    const cache = createCountedCache()
    const piece = Buffer.alloc(8)
    for (let round = 0; round < 120_000; round++) {
      piece.writeUInt32LE(round, 4)
      if (cache.count(piece) !== fakeCount(piece, 0, 8)) expect.fail(`round ${round}`)
    }
  })

  it('tells longer pieces apart that share their hash', () => {
    for (const [left, right] of collidingPieces()) {
      const cache = createCountedCache()
      for (const piece of [left, right, left, right]) {
        expect(cache.count(piece)).toBe(fakeCount(piece, 0, piece.length))
      }
      expect(cache.computed()).toBe(2)
    }
  })

  it('forgets all pieces when the room for longer ones is used up', () => {
    const [[left, right] = [Buffer.alloc(12), Buffer.alloc(12)]] = collidingPieces()
    const cache = createCountedCache()
    cache.count(left)
    const filler = Buffer.alloc(256)
    for (let round = 0; round < 2 ** 21 / 256 - 1; round++) {
      filler.writeUInt32LE(round, 100)
      cache.count(filler)
    }
    cache.count(Buffer.alloc(256 - left.length - 4))
    // There are four bytes left: this piece takes the place of the first one, whose slot it shares.
    for (const piece of [right, right, left]) {
      expect(cache.count(piece)).toBe(fakeCount(piece, 0, piece.length))
    }
  })
})

/** Pairs of different pieces with the same length, first four bytes and hash. */
function collidingPieces(): [Buffer, Buffer][] {
  const byHash = new Map<number, number>()
  const pairs: [Buffer, Buffer][] = []
  const piece = Buffer.alloc(20)
  const view = new DataView(piece.buffer, piece.byteOffset)
  for (let number = 0; pairs.length < 3; number++) {
    piece.writeUInt32LE(Math.imul(number, 0x01000193) >>> 0, 4)
    piece.writeUInt32LE(number, 8)
    const hash = hashBytes(view, 0, 12)
    const other = byHash.get(hash)
    if (other === undefined) byHash.set(hash, number)
    else {
      const left = Buffer.from(piece.subarray(0, 12))
      left.writeUInt32LE(Math.imul(other, 0x01000193) >>> 0, 4)
      left.writeUInt32LE(other, 8)
      pairs.push([left, Buffer.from(piece.subarray(0, 12))])
    }
  }
  return pairs
}
