import { hash } from 'node:crypto'
import { createDigestReader, type TextDigest } from './digest.ts'
import type { Embedder } from './embed.ts'
import type { SpokenText } from './read-bounded.ts'
import { WIDTH } from './static-table.ts'

export interface DigestCache {
  readonly digestOf: (document: SpokenText) => TextDigest
  readonly stats: () => { readonly entries: number; readonly bytes: number }
}

/** What an entry takes, beside its passages: its key and what the engine needs to hold it. */
const ENTRY_BYTES = 400
/** A vector and its object. */
const VECTOR_BYTES = 4 * WIDTH + 160
/** A term's hash and count. */
const TERM_BYTES = 16

/**
 * Digests of texts by the SHA-256 of speaker and text, so that no text can be made to pass for another. Holds
 * numbers only, never a text; the least recently used make room. `maxBytes` of 0 keeps nothing.
 */
export function createDigestCache(embedder: () => Embedder, maxBytes: number): DigestCache {
  const readDigest = createDigestReader(embedder)
  const entries = new Map<string, TextDigest>()
  let bytes = 0

  const keep = (key: string, digest: TextDigest): void => {
    const size = bytesOf(digest)
    if (size > maxBytes) return
    bytes += size
    while (bytes > maxBytes) {
      const [oldest] = entries
      if (oldest === undefined) break
      entries.delete(oldest[0])
      bytes -= bytesOf(oldest[1])
    }
    entries.set(key, digest)
  }

  return {
    digestOf: (document) => {
      if (maxBytes <= 0) return readDigest(document)
      const key = keyOf(document)
      const found = entries.get(key)
      if (found !== undefined) {
        entries.delete(key)
        entries.set(key, found)
        return found
      }
      const digest = readDigest(document)
      keep(key, digest)
      return digest
    },
    stats: () => ({ entries: entries.size, bytes }),
  }
}

/** At most what the digest takes in memory, of what this package put there. */
export function bytesOf({ passages }: TextDigest): number {
  let bytes = ENTRY_BYTES + (passages.length > 1 ? VECTOR_BYTES : 0)
  for (const { hashes } of passages) bytes += VECTOR_BYTES + TERM_BYTES * hashes.length
  return bytes
}

/** The length of the speaker's name keeps "ab" + "c" and "a" + "bc" apart. */
function keyOf({ speaker = '', text }: SpokenText): string {
  return hash('sha256', `${speaker.length}:${speaker}${text}`, 'base64')
}
