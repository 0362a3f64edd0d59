import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('process/encoder-process.mjs', import.meta.url))

export interface EncoderOptions {
  /** What `npm run setup:minilm` made. */
  readonly folder: string
  /** Name of the model in it. */
  readonly file: string
  /** Threads that share the products of one text. */
  readonly threads: number
}

export interface EncoderProcess {
  /** Settles when the model is loaded; rejects where the process ends before. */
  readonly ready: Promise<void>
  readonly encode: (tokens: readonly number[]) => Promise<Float32Array>
  /** Settles when the process has ended, for whatever reason. */
  readonly ended: Promise<void>
  readonly close: () => Promise<void>
}

type Message =
  | { readonly ready: true }
  | { readonly failed: string }
  | { readonly number: number; readonly vector?: Float32Array }

interface Waiting {
  readonly resolve: (vector: Float32Array) => void
  readonly reject: (error: Error) => void
}

/** Starts the process. It keeps this one alive only while something is waited for. */
export function startEncoderProcess({ folder, file, threads }: EncoderOptions): EncoderProcess {
  const child = fork(PROGRAM, [resolve(folder), file, String(threads)], {
    // A process inherits the flags of this one, among them the loaders of development.
    execArgv: [],
    // And its environment, in which keys may be. The runtime would otherwise report its use to its maker
    // (onnxruntime 1.30, core/platform/posix/telemetry.cc), and keep files for that.
    env: { ORT_DISABLE_TELEMETRY: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const waiting = new Map<number, Waiting>()
  let isLoaded = false
  let hasEnded = false
  let last = 0

  const keepAlive = (): void => {
    const isWaitedFor = !isLoaded || waiting.size > 0
    if (isWaitedFor) child.ref()
    else child.unref()
    if (isWaitedFor) child.channel?.ref()
    else child.channel?.unref()
  }
  const take = (number: number): Waiting | undefined => {
    const found = waiting.get(number)
    waiting.delete(number)
    keepAlive()
    return found
  }

  const ended = new Promise<void>((resolve) => {
    const end = (): void => {
      hasEnded = true
      for (const { reject } of waiting.values()) reject(new Error('The encoder has ended.'))
      waiting.clear()
      resolve()
    }
    child.on('exit', end)
    child.on('error', () => {
      // There is no exit of what could not even be started.
      if (child.pid === undefined) end()
    })
  })
  const ready = new Promise<void>((resolve, reject) => {
    child.on('message', (message: Message) => {
      if ('ready' in message) {
        isLoaded = true
        keepAlive()
        resolve()
        return
      }
      if ('failed' in message) {
        reject(new Error(message.failed))
        return
      }
      const found = take(message.number)
      if (message.vector !== undefined) found?.resolve(message.vector)
      else found?.reject(new Error('The encoder could not read a text.'))
    })
    void ended.then(() => reject(new Error('The encoder ended before its model was loaded.')))
  })
  // Whoever waits for it hears of it.
  ready.catch(() => undefined)

  return {
    ready,
    ended,
    encode: (tokens) => {
      if (hasEnded) return Promise.reject(new Error('The encoder has ended.'))
      last += 1
      const number = last
      return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject })
        keepAlive()
        child.send({ number, tokens }, (error) => {
          if (error !== null) take(number)?.reject(error)
        })
      })
    },
    close: async () => {
      if (hasEnded) return
      child.ref()
      // It holds nothing that could be lost.
      child.kill('SIGKILL')
      await ended
    },
  }
}
