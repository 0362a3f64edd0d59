/** Longest pointer that an answer repeats: names in it are the caller's own. */
const MAX_POINTER_LENGTH = 200

const HALF_A_PAIR_AT_THE_END = /[\ud800-\udbff]$/

/** Appends one member name to an RFC 6901 pointer. */
export function appendPointer(pointer: string, name: string): string {
  return cutPointer(`${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
}

/** Cuts on a code point, so that no half of a surrogate pair is left at the end. */
export function cutPointer(pointer: string): string {
  if (pointer.length <= MAX_POINTER_LENGTH) return pointer
  return `${pointer.slice(0, MAX_POINTER_LENGTH - 1).replace(HALF_A_PAIR_AT_THE_END, '')}…`
}
