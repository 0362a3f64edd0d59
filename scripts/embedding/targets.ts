/** What the encoder makes of every piece alone and of every sentence, kept in a folder between runs. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createPieceIndex } from '../../src/decide/embedded/piece-index.ts'
import { createPieceReader } from '../../src/decide/embedded/word-piece.ts'
import type { Encode } from './encoder.ts'
import { ENCODER_WIDTH } from './encoder-graph.ts'
import type { Vocabulary } from './vocabulary.ts'

/** Sentences of more pieces are one in ten, and a third of the encoder's time. */
const MAX_PIECES = 24
const MIN_PIECES = 2

/** Numbers of the pieces of each sentence, sentences of too few or too many pieces left out. */
export function cutSentences(sentences: readonly string[], vocabulary: Vocabulary): number[][] {
  let pieces: number[] = []
  const index = createPieceIndex(vocabulary.pieces)
  const read = createPieceReader(index, {
    piece: (piece) => pieces.push(piece),
    foreign: () => undefined,
  })
  return sentences
    .map((sentence) => {
      pieces = []
      read(sentence)
      return pieces
    })
    .filter(({ length }) => length >= MIN_PIECES && length <= MAX_PIECES)
}

/** One vector of ENCODER_WIDTH for each text, one after the other. */
export async function encodeAll(
  texts: readonly (readonly number[])[],
  vocabulary: Vocabulary,
  encode: () => Promise<Encode>,
  folder: string,
): Promise<Float32Array> {
  const wanted = texts.map((pieces) => [
    vocabulary.begin,
    ...pieces.map((piece) => vocabulary.ids[piece]!),
    vocabulary.end,
  ])
  const key = createHash('sha256').update(JSON.stringify(wanted)).digest('hex').slice(0, 16)
  const file = join(folder, `${key}.f32`)
  if (existsSync(file)) {
    const bytes = readFileSync(file)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  }
  const vectors = await (await encode())(wanted)
  const all = new Float32Array(texts.length * ENCODER_WIDTH)
  for (const [index, vector] of vectors.entries()) all.set(vector, index * ENCODER_WIDTH)
  writeFileSync(file, new Uint8Array(all.buffer))
  return all
}
