import { createPieceIndex } from './piece-index.ts'
import { readStaticTable, type StaticTable, WIDTH } from './static-table.ts'
import { createPieceReader } from './word-piece.ts'

/**
 * Length of the vector of a word that the table cannot know: about that of a telling word which it does.
 */
const FOREIGN_LENGTH = 1

/** What a text is made of, each kind in order. */
export interface TextPieces {
  /** WordPieces, which have rows in the table. */
  readonly pieces: number[]
  /** Hashes of words of a script that the table does not know. */
  readonly foreign: number[]
}

export interface Embedder {
  /** Adds what a text is made of to `found`. Linear in the text. */
  readonly read: (text: string, found: TextPieces) => void
  /** Adds the vectors of what was found to `sum`, which has WIDTH places. */
  readonly add: (found: TextPieces, sum: Float64Array) => void
}

/**
 * Sums rows of the table. A word of a script that the table does not know gets a vector of signs drawn
 * from its hash: two texts are then as alike as the words they share, which is what the table could say at most.
 */
export function createEmbedder(table: StaticTable): Embedder {
  let into: TextPieces = { pieces: [], foreign: [] }
  const read = createPieceReader(createPieceIndex(table.pieces), {
    piece: (piece) => into.pieces.push(piece),
    foreign: (hash) => into.foreign.push(hash),
  })
  return {
    read: (text, found) => {
      into = found
      read(text)
    },
    add: ({ pieces, foreign }, sum) => {
      addRows(table, pieces, sum)
      for (const hash of foreign) addSigns(hash, sum)
    },
  }
}

/**
 * The hot loop of the model: every index is in range, and a check of each would double its time. Four rows at
 * once, because reading and writing the sum costs as much as reading a row.
 */
function addRows({ rows, scales }: StaticTable, pieces: readonly number[], sum: Float64Array) {
  const scaleAt = (index: number) => (index < pieces.length ? (scales[pieces[index] ?? 0] ?? 0) : 0)
  for (let index = 0; index < pieces.length; index += 4) {
    const first = (pieces[index] ?? 0) * WIDTH
    const second = (pieces[index + 1] ?? 0) * WIDTH
    const third = (pieces[index + 2] ?? 0) * WIDTH
    const fourth = (pieces[index + 3] ?? 0) * WIDTH
    const firstScale = scaleAt(index)
    const secondScale = scaleAt(index + 1)
    const thirdScale = scaleAt(index + 2)
    const fourthScale = scaleAt(index + 3)
    for (let column = 0; column < WIDTH; column += 1) {
      sum[column] =
        (sum[column] as number) +
        firstScale * (rows[first + column] as number) +
        secondScale * (rows[second + column] as number) +
        thirdScale * (rows[third + column] as number) +
        fourthScale * (rows[fourth + column] as number)
    }
  }
}

const SIGN = FOREIGN_LENGTH / Math.sqrt(WIDTH)

function addSigns(hash: number, sum: Float64Array): void {
  let state = hash | 1
  for (let column = 0; column < WIDTH; column += 1) {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    sum[column] = (sum[column] ?? 0) + (state < 0 ? -SIGN : SIGN)
  }
}

let shared: Embedder | undefined

/** The embedder of the table that ships with the service, read when it is first needed. */
export function defaultEmbedder(): Embedder {
  shared ??= createEmbedder(readStaticTable())
  return shared
}
