/** Cuts learned vectors down to the table's columns and writes them as small integers. */
import { HEADER_BYTES, TABLE_MAGIC, WIDTH } from '../../src/decide/embedded/static-table.ts'
import { ENCODER_WIDTH } from './encoder-graph.ts'
import { principalAxes } from './principal-components.ts'
import { addUp } from './token-learning.ts'

/** Sentences whose sums the axes are found from: every n-th, as many as this. */
const SAMPLE = 20_000
const LARGEST = 127

/** Coordinates of every vector on the WIDTH axes that keep most of the cosines of the sentences. */
export function reduceVectors(
  vectors: Float32Array,
  sentences: readonly (readonly number[])[],
): Float64Array {
  const axes = principalAxes(secondMoments(vectors, sentences), ENCODER_WIDTH, WIDTH)
  const count = vectors.length / ENCODER_WIDTH
  const reduced = new Float64Array(count * WIDTH)
  for (let row = 0; row < count; row += 1) {
    for (const [column, axis] of axes.entries()) {
      let dot = 0
      for (let at = 0; at < ENCODER_WIDTH; at += 1)
        dot += axis[at]! * vectors[row * ENCODER_WIDTH + at]!
      reduced[row * WIDTH + column] = dot
    }
  }
  return reduced
}

function secondMoments(
  vectors: Float32Array,
  sentences: readonly (readonly number[])[],
): Float64Array {
  const moments = new Float64Array(ENCODER_WIDTH * ENCODER_WIDTH)
  const sum = new Float64Array(ENCODER_WIDTH)
  const step = Math.max(1, Math.floor(sentences.length / SAMPLE))
  for (let index = 0; index < sentences.length; index += step) {
    addUp(vectors, sentences[index]!, sum)
    const squares = sum.reduce((total, value) => total + value * value, 0) || 1
    for (let row = 0; row < ENCODER_WIDTH; row += 1) {
      const scaled = sum[row]! / squares
      for (let column = 0; column < ENCODER_WIDTH; column += 1) {
        moments[row * ENCODER_WIDTH + column]! += scaled * sum[column]!
      }
    }
  }
  return moments
}

/** The file as `readStaticTable` reads it. */
export function tableFile(pieces: readonly string[], reduced: Float64Array): Buffer {
  const vocabulary = Buffer.from(pieces.join('\n'))
  const header = Buffer.alloc(HEADER_BYTES)
  header.write(TABLE_MAGIC, 'latin1')
  header.writeUInt32LE(pieces.length, 8)
  header.writeUInt32LE(vocabulary.length, 12)
  const scales = Buffer.alloc(4 * pieces.length)
  const rows = Buffer.alloc(pieces.length * WIDTH)
  for (const row of pieces.keys()) {
    const values = reduced.subarray(row * WIDTH, (row + 1) * WIDTH)
    const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
    const scale = Math.fround(largest / LARGEST) || 1
    scales.writeFloatLE(scale, 4 * row)
    for (const [column, value] of values.entries()) {
      const rounded = Math.max(-LARGEST, Math.min(LARGEST, Math.round(value / scale)))
      rows.writeInt8(rounded, row * WIDTH + column)
    }
  }
  return Buffer.concat([header, vocabulary, scales, rows])
}
