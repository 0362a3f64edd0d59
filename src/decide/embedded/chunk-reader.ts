/**
 * Reads the terms of a text in chunks between blanks and punctuation, and remembers those of the commonest
 * chunks: most words of a conversation come again.
 */
import { classOf, SEPARATOR } from './characters.ts'
import { hashTerm } from './hash-term.ts'
import { forEachTerm } from './terms.ts'

/** Hashes of the terms of a chunk, one that stands twice being there twice. */
export type ChunkTerms = readonly number[]

/** Units of a chunk that is remembered. */
const LONGEST_REMEMBERED = 32
/** Chunks that are remembered, one for each value of some bits of a hash: 1 MiB at most. */
const PLACES = 2 ** 13

const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

const IS_SEPARATOR = Uint8Array.from({ length: 128 }, (_, unit) =>
  classOf(unit) === SEPARATOR ? 1 : 0,
)

interface Remembered {
  readonly text: string
  readonly terms: ChunkTerms
}

/** Visits the terms of a text, chunk by chunk, in order. What a text says is what its chunks say. */
export function createChunkReader(): (text: string, visit: (terms: ChunkTerms) => void) => void {
  const known: (Remembered | undefined)[] = Array.from({ length: PLACES }, () => undefined)

  const chunkAt = (text: string, start: number, end: number, hash: number): ChunkTerms => {
    if (end - start > LONGEST_REMEMBERED) return termsOf(text.slice(start, end))
    const place = (hash ^ (hash >>> 13)) & (PLACES - 1)
    const found = known[place]
    if (found !== undefined && isAt(found.text, text, start, end)) return found.terms
    const chunk = copyOf(text, start, end)
    const terms = termsOf(chunk)
    known[place] = { text: chunk, terms }
    return terms
  }

  return (text, visit) => {
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
        visit(chunkAt(text, start, at, hash))
        start = -1
      }
    }
    if (start >= 0) visit(chunkAt(text, start, text.length, hash))
  }
}

function isAt(chunk: string, text: string, start: number, end: number): boolean {
  if (chunk.length !== end - start) return false
  for (let at = 0; at < chunk.length; at += 1) {
    if (chunk.charCodeAt(at) !== text.charCodeAt(start + at)) return false
  }
  return true
}

/** A slice would hold the whole text in memory. */
function copyOf(text: string, start: number, end: number): string {
  return Buffer.from(text.slice(start, end), 'utf16le').toString('utf16le')
}

function termsOf(text: string): ChunkTerms {
  const terms: number[] = []
  forEachTerm(text, (term) => terms.push(hashTerm(term)))
  return terms
}
