import { expect } from 'vitest'

/** Found in no word, path or name of the service. */
const WORD = 'budgerigar'

/** A secret for one place; it would do as a key. */
export const plant = (place: string): string => `${WORD}-${place}-4f1c9d27`

/** As text, and as bytes that nobody has decoded: as a console, JSON and base64 write them. */
const FORMS = ((): readonly string[] => {
  const bytes = [...Buffer.from(WORD)]
  const base64 = ['', 'x', 'xx'].map((before) =>
    // Of the first and last characters some bits belong to what stands beside.
    Buffer.from(`${before}${WORD}`).toString('base64').slice(4, 12),
  )
  return [
    bytes.map((byte) => byte.toString(16)).join(' '),
    bytes.map((byte) => byte.toString(16)).join(''),
    bytes.join(','),
    ...base64,
  ]
})()

/** Fails with the places where something that was planted stands. */
export function expectNothingPlanted(text: string): void {
  const known = text.toLowerCase()
  const places = [WORD, ...FORMS.map((form) => form.toLowerCase())].flatMap((form) => {
    const at = known.indexOf(form)
    return at === -1 ? [] : [text.slice(Math.max(0, at - 80), at + 80)]
  })
  expect(places).toEqual([])
}
