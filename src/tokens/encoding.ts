import { SPARE_BYTES } from './byte-hash.ts'
import { type CountMerged, createShortPieceMerge, SHORT_PIECE_BYTES } from './byte-pair-merge.ts'
import { type CharacterClasses, END_BYTE, loadCharacterClasses } from './character-classes.ts'
import { createLongPieceMerge } from './long-piece-merge.ts'
import { createPieceCache } from './piece-cache.ts'
import { pieceEndCl100k } from './pre-tokenise-cl100k.ts'
import { pieceEndO200k } from './pre-tokenise-o200k.ts'
import type { PieceEnd } from './pre-tokenise-shared.ts'
import { cutEnd } from './text-cuts.ts'
import { type EncodingName, loadVocabulary, NO_RANK, type Vocabulary } from './vocabulary.ts'

export type { EncodingName } from './vocabulary.ts'

export interface Encoding {
  readonly name: EncodingName
  readonly countTokens: (text: string) => number
}

const PIECE_ENDS: Record<EncodingName, PieceEnd> = {
  o200k_base: pieceEndO200k,
  cl100k_base: pieceEndCl100k,
}

/** UTF-16 units that are turned to bytes and counted at a time, wherever a text can be cut. */
const CUT_UNITS = 32 * 1024
/** UTF-8 bytes that a UTF-16 unit takes at most. */
const UNIT_BYTES = 3

const encodings = new Map<EncodingName, Encoding>()
let sharedClasses: CharacterClasses | undefined

/**
 * The exact counter of an encoding: as many tokens as tiktoken's `encode_ordinary(text)` gives, so names of
 * special tokens count as the text that they are, and a lone surrogate counts as U+FFFD. The first call
 * reads the vocabulary, later ones return the same counter. Linear in the length of the text whatever it
 * holds; no text is referred to afterwards.
 */
export function getEncoding(name: EncodingName): Encoding {
  let encoding = encodings.get(name)
  if (encoding === undefined) {
    sharedClasses ??= loadCharacterClasses()
    const countPiece = createPieceCounter(loadVocabulary(name))
    encoding = { name, countTokens: createTextCounter(PIECE_ENDS[name], sharedClasses, countPiece) }
    encodings.set(name, encoding)
  }
  return encoding
}

function createPieceCounter(vocabulary: Vocabulary): CountMerged {
  const { rankOf } = vocabulary
  const mergeShort = createShortPieceMerge(vocabulary)
  const mergeLong = createLongPieceMerge(vocabulary)
  return createPieceCache((bytes, view, start, length) => {
    // Merging ends at the same token, later.
    if (rankOf(view, start, length) !== NO_RANK) return 1
    return length <= SHORT_PIECE_BYTES
      ? mergeShort(bytes, view, start, length)
      : mergeLong(bytes, view, start, length)
  })
}

function createTextCounter(
  pieceEnd: PieceEnd,
  classes: CharacterClasses,
  countPiece: CountMerged,
): (text: string) => number {
  const encoder = new TextEncoder()
  const scratch = createScratch(CUT_UNITS)

  const countCut = (text: string): number => {
    const { bytes, view } = text.length <= CUT_UNITS ? scratch : createScratch(text.length)
    const end = encoder.encodeInto(text, bytes).written
    bytes[end] = END_BYTE
    let total = 0
    let start = 0
    while (start < end) {
      const next = pieceEnd(bytes, start, classes)
      // Every single byte is a token.
      total += next - start === 1 ? 1 : countPiece(bytes, view, start, next - start)
      start = next
    }
    return total
  }

  return (text) => {
    if (text.length <= CUT_UNITS) return countCut(text)
    let total = 0
    let from = 0
    while (from < text.length) {
      const to = cutEnd(text, from, CUT_UNITS)
      total += countCut(text.slice(from, to))
      from = to
    }
    return total
  }
}

function createScratch(units: number): { bytes: Uint8Array; view: DataView } {
  const bytes = new Uint8Array(units * UNIT_BYTES + 1 + SPARE_BYTES)
  return { bytes, view: new DataView(bytes.buffer) }
}
