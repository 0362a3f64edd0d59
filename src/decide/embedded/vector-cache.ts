import { hash } from 'node:crypto'
import type { AddEmbedding } from './embed.ts'
import { readBounded, type SpokenText } from './read-bounded.ts'
import { WIDTH } from './static-table.ts'

/** The vector of a text and its length; a text of no known word has a vector of length 0. */
export interface TextVector {
  readonly values: Float32Array
  readonly length: number
}

export interface VectorCache {
  readonly vectorOf: (document: SpokenText) => TextVector
  readonly stats: () => { readonly entries: number; readonly bytes: number }
}

/** What an entry takes at most: its numbers, its key, and what the engine needs to hold them. */
export const ENTRY_BYTES = 4 * WIDTH + 304

/**
 * Vectors of texts by the SHA-256 of speaker and text, so that no text can be made to pass for another.
 * Holds numbers only, never a text; the least recently used make room. `maxBytes` of 0 keeps nothing.
 */
export function createVectorCache(add: () => AddEmbedding, maxBytes: number): VectorCache {
  const capacity = Math.max(0, Math.floor(maxBytes / ENTRY_BYTES))
  const entries = new Map<string, TextVector>()

  const keep = (key: string, vector: TextVector): void => {
    if (capacity === 0) return
    if (entries.size >= capacity) {
      const [oldest] = entries.keys()
      if (oldest !== undefined) entries.delete(oldest)
    }
    entries.set(key, vector)
  }

  return {
    vectorOf: (document) => {
      const key = keyOf(document)
      const found = entries.get(key)
      if (found !== undefined) {
        entries.delete(key)
        entries.set(key, found)
        return found
      }
      const vector = embed(document, add())
      keep(key, vector)
      return vector
    },
    stats: () => ({ entries: entries.size, bytes: entries.size * ENTRY_BYTES }),
  }
}

/** The length of the speaker's name keeps "ab" + "c" and "a" + "bc" apart. */
function keyOf({ speaker = '', text }: SpokenText): string {
  return hash('sha256', `${speaker.length}:${speaker}${text}`, 'base64')
}

/** The speaker's name is part of what is said: requests name people. */
function embed(document: SpokenText, add: AddEmbedding): TextVector {
  const sum = new Float64Array(WIDTH)
  readBounded(document.speaker ?? '', (text) => add(text, sum))
  readBounded(document.text, (text) => add(text, sum))
  const values = new Float32Array(sum)
  let squares = 0
  for (const value of values) squares += value * value
  return { values, length: Math.sqrt(squares) }
}
