import { createPieceIndex } from './piece-index.ts'
import { readStaticTable, type StaticTable, WIDTH } from './static-table.ts'
import { createPieceReader } from './word-piece.ts'

/**
 * Length of the vector of a word that the table cannot know: about that of a telling word which it does.
 */
const FOREIGN_LENGTH = 1

/** Adds the vectors of what stands in a text to `sum`, which has WIDTH places. Linear in the text. */
export type AddEmbedding = (text: string, sum: Float64Array) => void

/**
 * Sums rows of the table. A word of a script that the table does not know gets a vector of signs drawn
 * from its hash: two texts are then as alike as the words they share, which is what the table could say at most.
 */
export function createEmbedder(table: StaticTable): AddEmbedding {
  const { rows, scales, pieces } = table
  let into: Float64Array = new Float64Array(WIDTH)
  const read = createPieceReader(createPieceIndex(pieces), {
    piece: (piece) => {
      // The hot loop of the model: every index is in range, and a check of each would double its time.
      const sum = into
      const scale = scales[piece] as number
      let at = piece * WIDTH
      for (let column = 0; column < WIDTH; column += 1) {
        sum[column] = (sum[column] as number) + scale * (rows[at] as number)
        at += 1
      }
    },
    foreign: (hash) => addSigns(hash, into),
  })
  return (text, sum) => {
    into = sum
    read(text)
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

let shared: AddEmbedding | undefined

/** The embedder of the table that ships with the service, read when it is first needed. */
export function defaultEmbedder(): AddEmbedding {
  shared ??= createEmbedder(readStaticTable())
  return shared
}
