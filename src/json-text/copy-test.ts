import { hasMember, isContainer } from './plain-object.ts'

export type CopyTest = (copy: unknown, original: unknown) => boolean

/**
 * Whether one value may be a rewritten copy of another: both are arrays, or both are objects and the
 * copy has more than half of the names of the original. A test costs no more than the size of the
 * copy, and each original's once.
 */
export const createCopyTest = (): CopyTest => {
  const namesOf = new Map<object, readonly string[]>()

  return (copy, original) => {
    if (!isContainer(copy) || !isContainer(original)) return false
    if (Array.isArray(copy) || Array.isArray(original)) {
      return Array.isArray(copy) && Array.isArray(original)
    }
    const names = namesOf.get(original) ?? Object.keys(original)
    namesOf.set(original, names)
    if (Object.keys(copy).length * 2 <= names.length) return false
    let kept = 0
    for (const name of names) kept += hasMember(copy, name) ? 1 : 0
    return kept * 2 > names.length
  }
}
