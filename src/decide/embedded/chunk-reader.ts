/**
 * Reads texts in chunks between blanks and punctuation, and remembers what it read of the commonest: most words
 * of a conversation come again. What is remembered lies in a few arrays of numbers, which cost the collector
 * nothing.
 */
import { classOf, SEPARATOR } from './characters.ts'

/** Units of a chunk that is remembered, and numbers that were read of it. */
const MOST_UNITS = 32
const MOST_NUMBERS = 16
/** Chunks that are remembered, one for each value of some bits of a hash: 1 MiB. */
const PLACES = 2 ** 13

const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

const IS_SEPARATOR = Uint8Array.from({ length: 128 }, (_, unit) =>
  classOf(unit) === SEPARATOR ? 1 : 0,
)

/** What is read of a text, each kind in order: 32-bit numbers. */
export interface ChunkNumbers {
  /** Hashes of its terms, one that stands twice being there twice. */
  readonly terms: number[]
  /** Its WordPieces, by their number. */
  readonly pieces: number[]
  /** Hashes of words of a script that the table does not know. */
  readonly foreign: number[]
}

/** Adds what a chunk says to `numbers`. */
export type ReadChunk = (chunk: string, numbers: ChunkNumbers) => void

/** Adds what a text says to `numbers`: what its chunks say. */
export function createChunkReader(read: ReadChunk): (text: string, numbers: ChunkNumbers) => void {
  const memory = createChunkMemory()

  const readChunk = (
    text: string,
    start: number,
    end: number,
    hash: number,
    numbers: ChunkNumbers,
  ): void => {
    if (end - start > MOST_UNITS) {
      read(text.slice(start, end), numbers)
      return
    }
    const place = (hash ^ (hash >>> 13)) & (PLACES - 1)
    if (memory.recall(place, text, start, end, numbers)) return
    const from = [numbers.terms.length, numbers.pieces.length, numbers.foreign.length] as const
    read(text.slice(start, end), numbers)
    memory.keep(place, text, start, end, numbers, from)
  }

  return (text, numbers) => {
    let start = -1
    let hash = OFFSET_BASIS
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      if (unit >= 128 || IS_SEPARATOR[unit] === 0) {
        if (start < 0) {
          start = at
          hash = OFFSET_BASIS
        }
        hash = Math.imul(hash ^ unit, PRIME)
      } else if (start >= 0) {
        readChunk(text, start, at, hash, numbers)
        start = -1
      }
    }
    if (start >= 0) readChunk(text, start, text.length, hash, numbers)
  }
}

function createChunkMemory() {
  const units = new Uint16Array(PLACES * MOST_UNITS)
  /** 0 where nothing is remembered. */
  const lengths = new Uint8Array(PLACES)
  const kept = new Int32Array(PLACES * MOST_NUMBERS)
  const terms = new Uint8Array(PLACES)
  const pieces = new Uint8Array(PLACES)
  const foreign = new Uint8Array(PLACES)

  const isAt = (place: number, text: string, start: number, end: number): boolean => {
    if (lengths[place] !== end - start) return false
    let unit = place * MOST_UNITS
    for (let at = start; at < end; at += 1) {
      if (units[unit] !== text.charCodeAt(at)) return false
      unit += 1
    }
    return true
  }

  return {
    /** Adds what is remembered of the chunk. False where nothing is. */
    recall: (
      place: number,
      text: string,
      start: number,
      end: number,
      numbers: ChunkNumbers,
    ): boolean => {
      if (!isAt(place, text, start, end)) return false
      let at = place * MOST_NUMBERS
      for (let left = terms[place] as number; left > 0; left -= 1) {
        numbers.terms.push(kept[at++] as number)
      }
      for (let left = pieces[place] as number; left > 0; left -= 1) {
        numbers.pieces.push(kept[at++] as number)
      }
      for (let left = foreign[place] as number; left > 0; left -= 1) {
        numbers.foreign.push(kept[at++] as number)
      }
      return true
    },
    /** Remembers what was added for the chunk since there were so many, where it is not too much. */
    keep: (
      place: number,
      text: string,
      start: number,
      end: number,
      numbers: ChunkNumbers,
      [fromTerms, fromPieces, fromForeign]: readonly [number, number, number],
    ): void => {
      const most =
        numbers.terms.length +
        numbers.pieces.length +
        numbers.foreign.length -
        (fromTerms + fromPieces + fromForeign)
      if (most > MOST_NUMBERS) return
      lengths[place] = end - start
      for (let at = start; at < end; at += 1) {
        units[place * MOST_UNITS + at - start] = text.charCodeAt(at)
      }
      let at = place * MOST_NUMBERS
      for (let from = fromTerms; from < numbers.terms.length; from += 1) {
        kept[at++] = numbers.terms[from] as number
      }
      for (let from = fromPieces; from < numbers.pieces.length; from += 1) {
        kept[at++] = numbers.pieces[from] as number
      }
      for (let from = fromForeign; from < numbers.foreign.length; from += 1) {
        kept[at++] = numbers.foreign[from] as number
      }
      terms[place] = numbers.terms.length - fromTerms
      pieces[place] = numbers.pieces.length - fromPieces
      foreign[place] = numbers.foreign.length - fromForeign
    },
  }
}
