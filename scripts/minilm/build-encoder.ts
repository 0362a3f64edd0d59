import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ENCODER_FILE, VOCABULARY_FILE } from '../../src/decide/minilm/installation.ts'
import { buildEncoderGraph } from '../embedding/encoder-graph.ts'
import { createInt8Precision } from './int8-precision.ts'
import { readWeightsPackage, type WeightsPackage } from './weights-package.ts'

/** Full precision, beside the other only for the self-test, which removes it. */
export const FULL_ENCODER_FILE = 'encoder.float.onnx'

/** Writes the encoder, its twin in full precision and the vocabulary. The same bytes on every machine. */
export function buildEncoder(
  folder: string,
  { weights, vocabulary }: WeightsPackage = readWeightsPackage(),
): void {
  write(join(folder, VOCABULARY_FILE), vocabulary.join('\n'))
  write(join(folder, FULL_ENCODER_FILE), buildEncoderGraph(weights))
  write(join(folder, ENCODER_FILE), buildEncoderGraph(weights, createInt8Precision()))
}

/** A build that is ended in between leaves no half of a file. */
function write(path: string, content: Buffer | string): void {
  writeFileSync(`${path}.part`, content)
  renameSync(`${path}.part`, path)
}
