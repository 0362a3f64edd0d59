/** The MiniLM encoder, started again where its process has ended. */
import { type EncoderOptions, type EncoderProcess, startEncoderProcess } from './encoder-process.ts'

/** Numbers of a vector. */
export const ENCODER_WIDTH = 384

/** A process that ends right away again must not be started for each text. */
const RESTART_MS = 60_000

export interface Encoder {
  /** Settles when the first process has loaded the model; rejects where it cannot. */
  readonly ready: Promise<void>
  /** Mean of the last layer for the token ids of one text, not normalised. */
  readonly encode: (tokens: readonly number[]) => Promise<Float32Array>
  readonly close: () => Promise<void>
}

export interface EncoderPorts {
  readonly start?: (options: EncoderOptions) => EncoderProcess
  /** Milliseconds. */
  readonly now?: () => number
}

export function createEncoder(
  options: EncoderOptions,
  { start = startEncoderProcess, now = () => performance.now() }: EncoderPorts = {},
): Encoder {
  let isClosed = false
  let startedAt = 0
  let running: EncoderProcess | undefined

  const begin = (): EncoderProcess => {
    const begun = start(options)
    startedAt = now()
    running = begun
    void begun.ended.then(() => {
      if (running === begun) running = undefined
    })
    return begun
  }
  const first = begin()

  return {
    ready: first.ready,
    encode: (tokens) => {
      if (running !== undefined) return running.encode(tokens)
      const isDue = !isClosed && now() - startedAt >= RESTART_MS
      return isDue ? begin().encode(tokens) : Promise.reject(new Error('There is no encoder.'))
    },
    close: async () => {
      isClosed = true
      await running?.close()
    },
  }
}
