/** Says whether the 8-bit encoder finds the same texts alike as the one that it was made from. */
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { startEncoderProcess } from '../../src/decide/minilm/encoder-process.ts'
import { ENCODER_FILE, readVocabulary } from '../../src/decide/minilm/installation.ts'
import { createTokenizer } from '../../src/decide/minilm/tokenizer.ts'
import { FULL_ENCODER_FILE } from './build-encoder.ts'
import { PAIRS } from './test-pairs.ts'

/** Of one text in 8 bits and in full. Measured: 0.987 at least, 0.993 in the mean. */
const LEAST_COSINE = 0.97
/** How much closer a sentence has to be to its paraphrase than to any other sentence. Measured: 0.031. */
const LEAST_MARGIN = 0.01

export interface EncoderTest {
  readonly passed: boolean
  readonly report: string
}

/** Needs no full encoder where none is left: then only the paraphrases are tested. */
export async function testEncoder(folder: string): Promise<EncoderTest> {
  const vectors = await encodePairs(folder, ENCODER_FILE)
  const margin = leastMargin(vectors)
  const lines = [`Paraphrases are closer than other sentences by ${margin.toFixed(3)} at least.`]
  let passed = margin >= LEAST_MARGIN
  const full = join(folder, FULL_ENCODER_FILE)
  if (existsSync(full)) {
    const exact = await encodePairs(folder, FULL_ENCODER_FILE)
    const cosines = vectors.map((vector, index) => cosine(vector, exact[index]!))
    const least = Math.min(...cosines)
    const mean = cosines.reduce((sum, one) => sum + one, 0) / cosines.length
    lines.push(
      `Cosine of 8 bits and full precision over ${cosines.length} texts: ${mean.toFixed(4)} in the mean, ${least.toFixed(4)} at least.`,
    )
    passed &&= least >= LEAST_COSINE
    rmSync(full)
  }
  if (!passed) lines.push('The encoder does not work on this machine as it should.')
  return { passed, report: lines.join('\n') }
}

/** Sentences, each followed by its paraphrase. */
async function encodePairs(folder: string, file: string): Promise<Float32Array[]> {
  const tokenize = createTokenizer(readVocabulary(folder))
  const encoder = startEncoderProcess({ folder, file, threads: 1 })
  try {
    await encoder.ready
    return await Promise.all(PAIRS.flat().map((text) => encoder.encode(tokenize({ text }))))
  } finally {
    await encoder.close()
  }
}

function leastMargin(vectors: readonly Float32Array[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let first = 0; first < vectors.length; first += 2) {
    const own = cosine(vectors[first]!, vectors[first + 1]!)
    for (let other = 0; other < vectors.length; other += 1) {
      if (other === first || other === first + 1) continue
      least = Math.min(least, own - cosine(vectors[first]!, vectors[other]!))
    }
  }
  return least
}

function cosine(one: Float32Array, other: Float32Array): number {
  let dot = 0
  let squares = 0
  let others = 0
  for (let at = 0; at < one.length; at += 1) {
    dot += one[at]! * other[at]!
    squares += one[at]! ** 2
    others += other[at]! ** 2
  }
  return dot / Math.sqrt(squares * others)
}
