import { hash } from 'node:crypto'
import type { CountTokens } from '../engine/transcript.ts'

export interface CountCacheOptions {
  /** Bound of all the cache's buffers together; below ENTRY_BYTES nothing is cached. */
  readonly maxBytes: number
}

export interface CountCacheStatistics {
  readonly hits: number
  readonly misses: number
  readonly entries: number
  /** `entries` times ENTRY_BYTES. */
  readonly bytes: number
}

export interface CountCache {
  /** The same counts through the cache. Each call opens a key space of its own. */
  readonly wrap: (countTokens: CountTokens) => CountTokens
  readonly stats: () => CountCacheStatistics
}

/**
 * What an entry takes, to the byte: a key of 16, its count of 4, its key space of 1, two links of the order
 * of use, the link and the head of its bucket, 4 each. The buffers are laid out in full at the start; the
 * system provides their pages as they are used.
 */
export const ENTRY_BYTES = 37

/**
 * UTF-16 units from which a text is looked up. Hashing a text of this length and finding its entry takes
 * 0.25 microseconds, counting as much prose whose words the encoding has met takes 0.29; code, JSON and
 * Chinese take longer to count.
 */
export const SHORTEST_CACHED_TEXT = 64

const KEY_WORDS = 4
const NONE = 0

/**
 * Token counts of texts by 128 bits of their SHA-256, so that no two texts can be made to share a count.
 * Holds numbers only, never a text; the least recently used entry makes room. Texts that differ in
 * nothing but lone surrogates and U+FFFD share a key: tokenisers read both as U+FFFD.
 */
export function createCountCache({ maxBytes }: CountCacheOptions): CountCache {
  const capacity = Math.max(0, Math.floor(maxBytes / ENTRY_BYTES))
  // Entries are numbered from 1; place 0 stands for none, and holds the ends of the order of use.
  const keys = new Int32Array((capacity + 1) * KEY_WORDS)
  const counts = new Int32Array(capacity + 1)
  const spaces = new Uint8Array(capacity + 1)
  const newer = new Int32Array(capacity + 1)
  const older = new Int32Array(capacity + 1)
  const nextInBucket = new Int32Array(capacity + 1)
  const buckets = new Int32Array(capacity)
  const key = new Int32Array(KEY_WORDS)
  let entries = 0
  let hits = 0
  let misses = 0
  let openSpaces = 0

  const bucketOf = (firstWord: number): number => (firstWord >>> 0) % capacity

  const find = (space: number): number => {
    let entry = buckets[bucketOf(key[0] as number)] as number
    while (entry !== NONE) {
      const at = entry * KEY_WORDS
      if (
        keys[at] === key[0] &&
        keys[at + 1] === key[1] &&
        keys[at + 2] === key[2] &&
        keys[at + 3] === key[3] &&
        spaces[entry] === space
      ) {
        return entry
      }
      entry = nextInBucket[entry] as number
    }
    return NONE
  }

  const unlinkUse = (entry: number): void => {
    const after = newer[entry] as number
    const before = older[entry] as number
    older[after] = before
    newer[before] = after
  }

  const linkAsNewest = (entry: number): void => {
    const newest = older[NONE] as number
    older[entry] = newest
    newer[entry] = NONE
    newer[newest] = entry
    older[NONE] = entry
  }

  const takePlace = (): number => {
    if (entries < capacity) return ++entries
    const entry = newer[NONE] as number
    unlinkUse(entry)
    const bucket = bucketOf(keys[entry * KEY_WORDS] as number)
    let link = buckets[bucket] as number
    if (link === entry) buckets[bucket] = nextInBucket[entry] as number
    else {
      while (nextInBucket[link] !== entry) link = nextInBucket[link] as number
      nextInBucket[link] = nextInBucket[entry] as number
    }
    return entry
  }

  const wrap = (countTokens: CountTokens): CountTokens => {
    if (openSpaces > 0xff) throw new RangeError('a count cache has 256 key spaces')
    const space = openSpaces++
    if (capacity === 0) return countTokens
    return (text) => {
      if (text.length < SHORTEST_CACHED_TEXT) return countTokens(text)
      const digest = hash('sha256', text, 'binary')
      for (let word = 0; word < KEY_WORDS; word++) key[word] = wordAt(digest, word * 4)
      const known = find(space)
      if (known !== NONE) {
        hits++
        if (known !== older[NONE]) {
          unlinkUse(known)
          linkAsNewest(known)
        }
        return counts[known] as number
      }
      misses++
      const count = countTokens(text)
      const entry = takePlace()
      keys.set(key, entry * KEY_WORDS)
      counts[entry] = count
      spaces[entry] = space
      const bucket = bucketOf(key[0] as number)
      nextInBucket[entry] = buckets[bucket] as number
      buckets[bucket] = entry
      linkAsNewest(entry)
      return count
    }
  }

  return {
    wrap,
    stats: () => ({ hits, misses, entries, bytes: entries * ENTRY_BYTES }),
  }
}

function wordAt(digest: string, at: number): number {
  return (
    digest.charCodeAt(at) |
    (digest.charCodeAt(at + 1) << 8) |
    (digest.charCodeAt(at + 2) << 16) |
    (digest.charCodeAt(at + 3) << 24)
  )
}
