import { hash } from 'node:crypto'
import type { SpokenText } from '../embedded/read-bounded.ts'

export interface EmbeddingCache {
  readonly get: (key: string) => Float32Array | undefined
  readonly set: (key: string, vector: Float32Array) => void
  readonly stats: () => { readonly entries: number; readonly bytes: number }
}

/** What an entry takes beside its numbers: its key, and what the engine needs to hold them. */
export const ENTRY_OVERHEAD_BYTES = 304

/**
 * Vectors by the hash of what they are of: numbers only, never a text. The least recently used make
 * room. `maxBytes` of 0 keeps nothing.
 */
export function createEmbeddingCache(maxBytes: number): EmbeddingCache {
  const entries = new Map<string, Float32Array>()
  let bytes = 0
  const sizeOf = (vector: Float32Array): number => vector.byteLength + ENTRY_OVERHEAD_BYTES
  const remove = (key: string): void => {
    const found = entries.get(key)
    if (found === undefined) return
    entries.delete(key)
    bytes -= sizeOf(found)
  }
  return {
    get: (key) => {
      const found = entries.get(key)
      if (found === undefined) return undefined
      entries.delete(key)
      entries.set(key, found)
      return found
    },
    set: (key, vector) => {
      remove(key)
      const size = sizeOf(vector)
      if (size > maxBytes) return
      while (bytes + size > maxBytes) {
        const [oldest] = entries.keys()
        if (oldest === undefined) break
        remove(oldest)
      }
      entries.set(key, vector)
      bytes += size
    },
    stats: () => ({ entries: entries.size, bytes }),
  }
}

/**
 * SHA-256, so that no text can be made to pass for another. The length of the speaker's name keeps
 * "ab" + "c" and "a" + "bc" apart.
 */
export function keyOf({ speaker = '', text }: SpokenText): string {
  return hash('sha256', `${speaker.length}:${speaker}${text}`, 'base64')
}
