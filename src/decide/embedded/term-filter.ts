/** Tells from three ASCII units in lower case, 0 past the end, whether a word may be one of the terms. */
export type TermFilter = (first: number, second: number, third: number) => boolean

const SLOTS = 2 ** 15
const LETTER_E = 0x65
const LETTER_I = 0x69

/**
 * Most words are none of the terms that are looked for, and their beginning says so before they are cut
 * out and stemmed. Folding keeps how an ASCII word begins; stemming changes its third letter only where
 * "flies" becomes "fly", and takes it off only where "axes" becomes "ax" or "shes" "sh".
 */
export function createTermFilter(terms: Iterable<string>): TermFilter {
  const slots = new Uint8Array(SLOTS)
  for (const term of terms) {
    const first = unitAt(term, 0)
    const second = unitAt(term, 1)
    slots[slotOf(first, second, unitAt(term, 2))] = 1
    if (term.length === 3 && term.endsWith('y')) slots[slotOf(first, second, LETTER_I)] = 1
    if (term.length === 2) slots[slotOf(first, second, LETTER_E)] = 1
  }
  return (first, second, third) => slots[slotOf(first, second, third)] === 1
}

function unitAt(term: string, index: number): number {
  return index < term.length ? term.charCodeAt(index) : 0
}

/** Different beginnings may share a slot: such a word is looked at for nothing. */
function slotOf(first: number, second: number, third: number): number {
  return (Math.imul(Math.imul(first, 31) + second, 31) + third) & (SLOTS - 1)
}
