/** Runs the encoder over many texts, each a list of token ids, in batches of one length. */
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { buildEncoderGraph, ENCODER_WIDTH } from './encoder-graph.ts'
import { openWeights } from './encoder-weights.ts'

/** Tokens of a batch: enough to keep the matrix products busy, few enough to stay in the cache. */
const BATCH_TOKENS = 1_024

interface Session {
  readonly run: (
    feeds: Readonly<Record<string, unknown>>,
  ) => Promise<Record<string, { readonly data: Float32Array } | undefined>>
  readonly outputNames: readonly string[]
}

interface Runtime {
  readonly InferenceSession: {
    readonly create: (model: Buffer, options: object) => Promise<Session>
  }
  readonly Tensor: new (type: 'int64', data: BigInt64Array, shape: readonly number[]) => unknown
}

export type Encode = (texts: readonly (readonly number[])[]) => Promise<Float32Array[]>

/**
 * `folder` holds the installed packages, `threads` share the matrix products. Vectors of ENCODER_WIDTH,
 * not normalised, in the order of the texts.
 */
export async function openEncoder(
  folder: string,
  weights: string,
  threads: number,
): Promise<Encode> {
  const runtime: Runtime = createRequire(join(folder, 'package.json'))('onnxruntime-node')
  const session = await runtime.InferenceSession.create(buildEncoderGraph(openWeights(weights)), {
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
  })
  const encodeBatch = async (batch: readonly (readonly number[])[]): Promise<Float32Array> => {
    const length = batch[0]?.length ?? 0
    const ids = BigInt64Array.from(batch.flat(), (id) => BigInt(id))
    const places = BigInt64Array.from({ length }, (_, place) => BigInt(place))
    const output = await session.run({
      ids: new runtime.Tensor('int64', ids, [batch.length, length]),
      places: new runtime.Tensor('int64', places, [length]),
    })
    const found = output[session.outputNames[0] ?? '']
    if (found === undefined) throw new Error('The encoder gave no output.')
    return found.data
  }
  return async (texts) => {
    const vectors: Float32Array[] = new Array(texts.length)
    const byLength = new Map<number, number[]>()
    for (const [index, { length }] of texts.entries()) {
      const alike = byLength.get(length)
      if (alike === undefined) byLength.set(length, [index])
      else alike.push(index)
    }
    for (const [length, indexes] of [...byLength].sort(([a], [b]) => a - b)) {
      const batchSize = Math.max(1, Math.floor(BATCH_TOKENS / length))
      for (let start = 0; start < indexes.length; start += batchSize) {
        const batch = indexes.slice(start, start + batchSize)
        const output = await encodeBatch(batch.map((index) => texts[index]!))
        for (const [place, index] of batch.entries()) {
          vectors[index] = output.slice(place * ENCODER_WIDTH, (place + 1) * ENCODER_WIDTH)
        }
      }
    }
    return vectors
  }
}
