/**
 * Token vectors whose sum points where the encoder's vector of the whole sentence points. They begin as
 * the encoder's vector of each piece alone, centred and weighted by rarity (SIF), and are moved by Adagrad
 * on the cosine, sentence by sentence in a seeded order: one thread, so the same input gives the same bytes.
 */
import { createSeededRandom } from '../../test/helpers/seeded-random.ts'
import { ENCODER_WIDTH } from './encoder-graph.ts'

/** The constant of smooth inverse frequency. */
const RARITY = 1e-4
const SEED = 20_250_401

export interface LearningOptions {
  readonly epochs: number
  readonly rate: number
}

/** Frequencies of words fall with their rank; `ranks` are from 1. */
export function firstVectors(alone: Float32Array, ranks: readonly number[]): Float32Array {
  const vectors = Float32Array.from(alone)
  const mean = new Float64Array(ENCODER_WIDTH)
  for (let at = 0; at < alone.length; at += 1) mean[at % ENCODER_WIDTH]! += alone[at]!
  const harmonic = ranks.reduce((sum, _, index) => sum + 1 / (index + 1), 0)
  for (const [token, rank] of ranks.entries()) {
    const start = token * ENCODER_WIDTH
    let squares = 0
    for (let column = 0; column < ENCODER_WIDTH; column += 1) {
      const value = alone[start + column]! - mean[column]! / ranks.length
      vectors[start + column] = value
      squares += value * value
    }
    const weight = RARITY / (RARITY + 1 / (rank * harmonic)) / Math.sqrt(squares || 1)
    for (let column = 0; column < ENCODER_WIDTH; column += 1) vectors[start + column]! *= weight
  }
  return vectors
}

/** Changes `vectors`. Returns the mean cosine over the sentences of the last epoch, before each step. */
export function learnTokens(
  vectors: Float32Array,
  sentences: readonly (readonly number[])[],
  targets: Float32Array,
  { epochs, rate }: LearningOptions,
): number {
  const random = createSeededRandom(SEED)
  const squares = new Float32Array(vectors.length).fill(1e-8)
  const order = Uint32Array.from(sentences.keys())
  const sum = new Float64Array(ENCODER_WIDTH)
  const gradient = new Float64Array(ENCODER_WIDTH)
  let cosines = 0
  for (let epoch = 0; epoch < epochs; epoch += 1) {
    cosines = 0
    for (let index = order.length - 1; index > 0; index -= 1) {
      const other = random.below(index + 1)
      ;[order[index], order[other]] = [order[other]!, order[index]!]
    }
    for (const sentence of order) {
      const tokens = sentences[sentence]!
      const target = targets.subarray(sentence * ENCODER_WIDTH, (sentence + 1) * ENCODER_WIDTH)
      addUp(vectors, tokens, sum)
      cosines += cosineGradient(sum, target, gradient)
      for (const token of tokens) {
        const start = token * ENCODER_WIDTH
        for (let column = 0; column < ENCODER_WIDTH; column += 1) {
          const slope = gradient[column]!
          const at = start + column
          squares[at]! += slope * slope
          vectors[at]! += (rate * slope) / Math.sqrt(squares[at]!)
        }
      }
    }
  }
  return cosines / order.length
}

export function addUp(vectors: Float32Array, tokens: readonly number[], sum: Float64Array): void {
  sum.fill(0)
  for (const token of tokens) {
    const start = token * ENCODER_WIDTH
    for (let column = 0; column < ENCODER_WIDTH; column += 1)
      sum[column]! += vectors[start + column]!
  }
}

/** The cosine of `sum` and `target`, and its gradient by `sum`. */
function cosineGradient(sum: Float64Array, target: Float32Array, gradient: Float64Array): number {
  let dot = 0
  let sumSquares = 1e-12
  let targetSquares = 1e-12
  for (let column = 0; column < ENCODER_WIDTH; column += 1) {
    dot += sum[column]! * target[column]!
    sumSquares += sum[column]! ** 2
    targetSquares += target[column]! ** 2
  }
  const sumNorm = Math.sqrt(sumSquares)
  const targetNorm = Math.sqrt(targetSquares)
  const cosine = dot / (sumNorm * targetNorm)
  for (let column = 0; column < ENCODER_WIDTH; column += 1) {
    gradient[column] = (target[column]! / targetNorm - (cosine * sum[column]!) / sumNorm) / sumNorm
  }
  return cosine
}
