/** What `npm run setup:minilm` leaves in a folder, and whether it is there and whole. */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'

export const ENCODER_FILE = 'encoder.int8.onnx'
export const VOCABULARY_FILE = 'vocabulary.txt'
export const RUNTIME = 'onnxruntime-node'

/** The files that the coefficients were fitted with. They are built the same to the byte everywhere. */
const SHA256 = {
  [ENCODER_FILE]: '74a0bb70bc9b4ce5a810effa227d34f6ec0bca0cc6786f816f27bc63f0d23474',
  [VOCABULARY_FILE]: '0f052197aac305fe42f378b5c61554b7bacb34b8be4af83fec2cfdcdffbc9973',
} as const

/** Where the setup puts it, and the service looks for it, unless it is told otherwise. */
export const DEFAULT_FOLDER = 'models/minilm'

const REMEDY = '`npm run setup:minilm` makes it'

/**
 * What is wrong with an installation, in words that can be shown: neither paths nor texts of errors. The
 * runtime is found, not loaded: whether its native part runs here shows when the encoder is started.
 */
export function installationFaults(folder: string): readonly string[] {
  const faults: string[] = []
  for (const [name, expected] of Object.entries(SHA256)) {
    const found = sha256(join(folder, name))
    if (found === undefined) faults.push(`holds no ${name}: ${REMEDY}`)
    else if (found !== expected)
      faults.push(`holds another ${name} than this version needs: ${REMEDY}`)
  }
  try {
    createRequire(join(resolve(folder), 'package.json')).resolve(RUNTIME)
  } catch {
    faults.push(`has no ${RUNTIME}: ${REMEDY}`)
  }
  return faults
}

/** The vocabulary, in the order of the token ids. */
export function readVocabulary(folder: string): readonly string[] {
  return readFileSync(join(folder, VOCABULARY_FILE), 'utf8').split('\n')
}

function sha256(path: string): string | undefined {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return undefined
  }
}
