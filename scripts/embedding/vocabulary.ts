/** The pieces of the encoder's vocabulary that the table holds. */
import { readFileSync } from 'node:fs'

/** Latin letters and figures, of a beginning or a continuation of a word. */
const KEPT = /^(?:##)?[a-z0-9\u00df-\u024f]+$/
/** Where the vocabulary's single characters end and its pieces by frequency begin. */
const FIRST_BY_FREQUENCY = 1_996
/** What a letter or a figure alone is worth: as common as the thirtieth word. */
const SINGLE_RANK = 30

export interface Vocabulary {
  readonly pieces: readonly string[]
  /** The encoder's id of each piece. */
  readonly ids: readonly number[]
  /** Rank of each piece by frequency in the text that the vocabulary was made of, from 1. */
  readonly ranks: readonly number[]
  /** The encoder's ids that begin and end a text. */
  readonly begin: number
  readonly end: number
}

export function readVocabulary(tokenizerFile: string): Vocabulary {
  const { model } = JSON.parse(readFileSync(tokenizerFile, 'utf8'))
  const byPiece: Record<string, number> = model.vocab
  const kept = Object.entries(byPiece)
    .filter(([piece]) => KEPT.test(piece))
    .sort(([, a], [, b]) => a - b)
  return {
    pieces: kept.map(([piece]) => piece),
    ids: kept.map(([, id]) => id),
    ranks: kept.map(([piece, id]) =>
      piece.replace('##', '').length === 1 ? SINGLE_RANK : id - FIRST_BY_FREQUENCY + 1,
    ),
    begin: byPiece['[CLS]'] ?? 0,
    end: byPiece['[SEP]'] ?? 0,
  }
}
