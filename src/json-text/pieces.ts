import type { ByteRange, ValueRange } from './ranges.ts'

/** What a value is written as: a list of these, one after the other. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  /** Bytes of the document. */
  | { readonly kind: 'copy'; readonly range: ByteRange }
  /** A value that takes from the document what it shares with `before`, which stands in `range`. */
  | {
      readonly kind: 'like'
      readonly after: object
      readonly before: object
      readonly range: ValueRange
    }
  /** A value of which the document has nothing. */
  | { readonly kind: 'fresh'; readonly value: unknown }
  /** The same, nested too deep for JSON.stringify. */
  | { readonly kind: 'deep'; readonly value: object }

export interface Pieces {
  readonly list: readonly Piece[]
  readonly add: (piece: Piece) => void
  readonly text: (text: string) => void
  /** Bytes of the document; what stands side by side there becomes one piece. */
  readonly copy: (start: number, end: number) => void
}

export const createPieces = (): Pieces => {
  const list: Piece[] = []

  const copy = (start: number, end: number): void => {
    if (start === end) return
    const last = list.at(-1)
    if (last?.kind === 'copy' && last.range.end === start) {
      list[list.length - 1] = { kind: 'copy', range: { start: last.range.start, end } }
    } else {
      list.push({ kind: 'copy', range: { start, end } })
    }
  }

  return {
    list,
    copy,
    text: (text) => {
      list.push({ kind: 'text', text })
    },
    add: (piece) => {
      if (piece.kind === 'copy') copy(piece.range.start, piece.range.end)
      else list.push(piece)
    },
  }
}
