import { createPieceIndex } from '../embedded/piece-index.ts'
import type { SpokenText } from '../embedded/read-bounded.ts'

/**
 * Tokens of one text that the encoder sees, those that begin and end it included. It was trained on texts of
 * 128; what comes later in a message has its say through the words that it shares with the request.
 */
export const MAX_TOKENS = 256

/** Code units that are read for them: what is longer than this by token is no language. */
const MAX_LENGTH = 8 * MAX_TOKENS

/** Units of a word that is cut into pieces; a longer one is one unknown token. */
const MAX_WORD_LENGTH = 100

const BEGIN = '[CLS]'
const END = '[SEP]'
const UNKNOWN = '[UNK]'

/** A Han character, a mark of punctuation, or a word of whatever else holds together. */
const WORDS =
  /[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2fa1f}]|[!-/:-@[-`{-~\p{P}]|[^\s\p{C}!-/:-@[-`{-~\p{P}\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u{20000}-\u{2fa1f}]+/gu

/** Token ids of a speaker's words, from the beginning to the end token. */
export type Tokenize = (document: SpokenText) => number[]

/**
 * Cuts text as an uncased BERT model does: lower case, accents off, Han characters and punctuation apart,
 * then the longest pieces first. Names of special tokens in a text are text.
 *
 * @param vocabulary the pieces, in the order of their ids
 * @throws Error when a piece that every text needs is missing
 */
export function createTokenizer(vocabulary: readonly string[]): Tokenize {
  const index = createPieceIndex(vocabulary)
  const [begin, end, unknown] = [BEGIN, END, UNKNOWN].map((piece) => {
    const id = vocabulary.indexOf(piece)
    if (id < 0) throw new Error(`The vocabulary has no ${piece}.`)
    return id
  }) as [number, number, number]
  const units = new Uint16Array(MAX_WORD_LENGTH)

  const pushWord = (word: string, ids: number[]): void => {
    if (word.length > MAX_WORD_LENGTH) {
      ids.push(unknown)
      return
    }
    for (let at = 0; at < word.length; at += 1) units[at] = word.charCodeAt(at)
    const before = ids.length
    for (let start = 0; start < word.length; ) {
      const piece = index.find(units, start, word.length)
      if (piece < 0) {
        ids.length = before
        ids.push(unknown)
        return
      }
      ids.push(piece)
      start += index.lengthOf(piece)
    }
  }

  return ({ speaker, text }) => {
    const ids = [begin]
    const said = speaker === undefined ? text : `${speaker}: ${text}`
    for (const [word] of fold(said.slice(0, MAX_LENGTH)).matchAll(WORDS)) {
      pushWord(word, ids)
      if (ids.length >= MAX_TOKENS - 1) break
    }
    ids.length = Math.min(ids.length, MAX_TOKENS - 1)
    ids.push(end)
    return ids
  }
}

function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
}
