/** The tier's vector of every text of many conversations, what the encoder gave kept in a folder. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentsOf, type LabelledCase } from '../../eval/embedded-model/labelled-case.ts'
import { createDigestReader } from '../../src/decide/embedded/digest.ts'
import { defaultEmbedder } from '../../src/decide/embedded/embed.ts'
import type { SpokenText } from '../../src/decide/embedded/read-bounded.ts'
import { blend } from '../../src/decide/minilm/blend.ts'
import { keyOf } from '../../src/decide/minilm/embedding-cache.ts'
import { createEncoder, ENCODER_WIDTH } from '../../src/decide/minilm/encoder.ts'
import { ENCODER_FILE, readVocabulary } from '../../src/decide/minilm/installation.ts'
import { createTokenizer } from '../../src/decide/minilm/tokenizer.ts'

const THREADS = 1
/** Texts that wait for the encoder at once. */
const LANES = 16

export type VectorOf = (text: SpokenText) => Float32Array

export async function readVectors(
  cases: readonly LabelledCase[],
  folder: string,
  scratch: string,
): Promise<VectorOf> {
  const texts = distinctTexts(cases)
  const encoded = await encodeAll([...texts.values()], folder, scratch)
  const readDigest = createDigestReader(defaultEmbedder)
  const places = new Map([...texts.keys()].map((key, place) => [key, place]))
  const vectors = new Map<string, Float32Array>()
  return (text) => {
    const key = keyOf(text)
    const known = vectors.get(key)
    if (known !== undefined) return known
    const place = places.get(key)
    if (place === undefined) throw new Error('A text was not encoded.')
    const own = encoded.subarray(place * ENCODER_WIDTH, (place + 1) * ENCODER_WIDTH)
    const vector = blend(own, readDigest(text).vector)
    vectors.set(key, vector)
    return vector
  }
}

function distinctTexts(cases: readonly LabelledCase[]): Map<string, SpokenText> {
  const texts = new Map<string, SpokenText>()
  for (const labelled of cases) {
    for (const text of [...documentsOf(labelled), { text: labelled.request }]) {
      texts.set(keyOf(text), text)
    }
  }
  return texts
}

async function encodeAll(
  texts: readonly SpokenText[],
  folder: string,
  scratch: string,
): Promise<Float32Array> {
  const tokenize = createTokenizer(readVocabulary(folder))
  const tokens = texts.map(tokenize)
  const key = createHash('sha256')
    .update(JSON.stringify(tokens))
    .update(readFileSync(join(folder, ENCODER_FILE)))
    .digest('hex')
  const file = join(scratch, `${key.slice(0, 16)}.f32`)
  if (existsSync(file)) {
    const bytes = readFileSync(file)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  }
  console.log(
    `Encoding ${texts.length} texts of ${tokens.reduce((sum, one) => sum + one.length, 0)} tokens`,
  )
  const encoder = createEncoder({ folder, file: ENCODER_FILE, threads: THREADS })
  const all = new Float32Array(texts.length * ENCODER_WIDTH)
  const left = tokens.entries()
  const lane = async (): Promise<void> => {
    for (const [place, ids] of left) all.set(await encoder.encode(ids), place * ENCODER_WIDTH)
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  await encoder.close()
  mkdirSync(scratch, { recursive: true })
  writeFileSync(file, new Uint8Array(all.buffer))
  return all
}
