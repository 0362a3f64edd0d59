import { createCopyTest } from './copy-test.ts'
import { createElementEvidence, type ElementEvidence } from './element-evidence.ts'
import { indexOccurrences, type Occurrences } from './occurrences.ts'
import { isContainer } from './plain-object.ts'

/** In a result of `matchElements`: an element without a counterpart. */
export const UNMATCHED = -1

/**
 * For each element of `after` the index of its counterpart in `before`, or UNMATCHED. In this order:
 *
 * 1. the very same value (objects by identity, primitives by Object.is), wherever it stands;
 * 2. for arrays and objects that are not there, the element that is not in `after` itself and that
 *    they give evidence of having been copied from;
 * 3. for the rest of these the element after the counterpart of the one before, if it is not in
 *    `after` and nobody else's counterpart.
 *
 * In 2, unless something in them is the very same, and in 3 an object must have most of the names of
 * its counterpart: an inserted message is nobody's copy.
 *
 * Linear in the values of both. Where there is no more than likeness or order to tell by, no counterpart
 * is given twice.
 */
export const matchElements = (
  after: readonly unknown[],
  before: readonly unknown[],
): Int32Array => {
  const matches = new Int32Array(after.length).fill(UNMATCHED)
  const used = new Uint8Array(before.length)
  const rewritten = matchSame(after, before, matches, used)
  if (rewritten.length === 0) return matches
  matchByEvidence(after, before, rewritten, matches, used)
  matchByPosition(after, before, matches, used)
  return matches
}

/** Gives back the positions of the arrays and objects that are not in `before`. */
const matchSame = (
  after: readonly unknown[],
  before: readonly unknown[],
  matches: Int32Array,
  used: Uint8Array,
): number[] => {
  const rewritten: number[] = []
  let occurrences: Occurrences | undefined
  let next = 0
  for (let position = 0; position < after.length; position += 1) {
    const element = after[position]
    let index: number | undefined = next
    if (next >= before.length || !Object.is(element, before[next])) {
      occurrences ??= indexOccurrences(before)
      index = occurrences.find(element, next)
    }
    if (index !== undefined) {
      matches[position] = index
      used[index] = 1
      next = index + 1
    } else if (isContainer(element)) {
      rewritten.push(position)
    }
  }
  return rewritten
}

const collectEvidence = (before: readonly unknown[], used: Uint8Array): ElementEvidence => {
  const evidence = createElementEvidence()
  for (const [index, element] of before.entries()) {
    if (used[index] === 0 && isContainer(element)) evidence.add(element, index)
  }
  return evidence
}

const matchByEvidence = (
  after: readonly unknown[],
  before: readonly unknown[],
  rewritten: readonly number[],
  matches: Int32Array,
  used: Uint8Array,
): void => {
  const { sharing, alike } = collectEvidence(before, used)
  const match = (find: (element: object) => number | undefined): void => {
    for (const position of rewritten) {
      const element = after[position]
      if (matches[position] !== UNMATCHED || !isContainer(element)) continue
      const index = find(element)
      if (index === undefined) continue
      matches[position] = index
      used[index] = 1
    }
  }
  match(sharing)
  // Only now: who merely looks alike must not take what another has proof of.
  const mayBeCopy = createCopyTest()
  match((element) => {
    const index = alike(element, (candidate) => used[candidate] === 0)
    return index !== undefined && mayBeCopy(element, before[index]) ? index : undefined
  })
}

const matchByPosition = (
  after: readonly unknown[],
  before: readonly unknown[],
  matches: Int32Array,
  used: Uint8Array,
): void => {
  const mayBeCopy = createCopyTest()
  let next = 0
  for (let position = 0; position < after.length; position += 1) {
    const isFree = next < before.length && used[next] === 0
    if (matches[position] === UNMATCHED && isFree && mayBeCopy(after[position], before[next])) {
      matches[position] = next
      used[next] = 1
    }
    const match = matches[position] as number
    if (match !== UNMATCHED) next = match + 1
  }
}
