import { createPieces, type Piece } from './pieces.ts'
import { hasToJson, isPlainArray, isPlainObject } from './plain-object.ts'

const NULL: Piece = { kind: 'text', text: 'null' }

/** The value as JSON.stringify writes it; undefined where it writes nothing: undefined, functions. */
export const freshPiece = (value: unknown): Piece | undefined => {
  if (isSurelyJson(value)) return { kind: 'fresh', value }
  const text: string | undefined = JSON.stringify(value)
  return text === undefined ? undefined : { kind: 'text', text }
}

/** As an element of an array, where what has no JSON is null. */
export const freshElement = (value: unknown): Piece => freshPiece(value) ?? NULL

const isSurelyJson = (value: unknown): boolean =>
  typeof value === 'object' ? !hasToJson(value) : typeof value === 'string'

/** The text of the value, or one level of it where JSON.stringify runs out of stack. */
export const freshPieces = (value: unknown): readonly Piece[] => {
  try {
    return [{ kind: 'text', text: JSON.stringify(value) }]
  } catch (error) {
    const isTooDeep = error instanceof RangeError && (isPlainArray(value) || isPlainObject(value))
    if (!isTooDeep) throw error
    return deepPieces(value)
  }
}

/** One level of the value, without trying JSON.stringify on what is in it again and again. */
export const deepPieces = (value: object): readonly Piece[] => {
  const pieces = createPieces()
  if (isPlainArray(value)) {
    for (const [index, element] of value.entries()) {
      pieces.text(index === 0 ? '[' : ',')
      pieces.add(deepPiece(element) ?? NULL)
    }
    pieces.text(value.length === 0 ? '[]' : ']')
    return pieces.list
  }
  let separator = '{'
  for (const [key, member] of Object.entries(value)) {
    const piece = deepPiece(member)
    if (piece === undefined) continue
    pieces.text(`${separator}${JSON.stringify(key)}:`)
    pieces.add(piece)
    separator = ','
  }
  pieces.text(separator === '{' ? '{}' : '}')
  return pieces.list
}

const deepPiece = (value: unknown): Piece | undefined =>
  isPlainArray(value) || isPlainObject(value) ? { kind: 'deep', value } : freshPiece(value)
