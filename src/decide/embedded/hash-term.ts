const OFFSET_BASIS = 0x811c9dc5
const PRIME = 0x01000193

/** 30 bits of FNV-1a over the units of a term: a number that the engine keeps without a box. */
export function hashTerm(term: string): number {
  let hash = OFFSET_BASIS
  for (let at = 0; at < term.length; at += 1) {
    hash = Math.imul(hash ^ term.charCodeAt(at), PRIME)
  }
  return (hash ^ (hash >>> 15)) & 0x3fffffff
}
