import { setImmediate as nextTurn } from 'node:timers/promises'
import type { SpokenText } from '../embedded/read-bounded.ts'
import { type EmbeddingCache, keyOf } from './embedding-cache.ts'

/** Texts on their way to the encoder: one is worked on while the next is cut into tokens. */
const LANES = 2

/** Code units looked up between two turns of the event loop: about 5 ms of hashing. */
const CHUNK_LENGTH = 4_194_304
/** And texts, however short. */
const CHUNK_TEXTS = 2_048

export interface EmbedLimits {
  readonly signal: AbortSignal
  /** When what is not embedded is not waited for any more, on the clock of `now`. */
  readonly giveUpAt: number
}

export type EmbedTexts = (
  texts: readonly SpokenText[],
  limits: EmbedLimits,
) => Promise<readonly Float32Array[] | undefined>

export interface EmbedTextsOptions {
  readonly cache: EmbeddingCache
  readonly embed: (text: SpokenText) => Promise<Float32Array>
  /** Milliseconds. */
  readonly now?: () => number
}

/**
 * Vectors of texts, from the cache where it has them. Undefined when the signal was aborted or the time
 * was up first: then nothing more is begun, nothing is waited for, and what there is stays in the cache for
 * the next time. The same text is embedded once. Rejects when the encoder cannot go on.
 */
export function createEmbedTexts({
  cache,
  embed,
  now = () => performance.now(),
}: EmbedTextsOptions): EmbedTexts {
  return async (texts, { signal, giveUpAt }) => {
    const isOver = (): boolean => signal.aborted || now() >= giveUpAt
    const found = new Map<string, Float32Array>()
    const missing = new Map<string, SpokenText>()
    const keys: string[] = []
    let sinceTurn = 0
    for (const text of texts) {
      const key = keyOf(text)
      keys.push(key)
      const known = cache.get(key)
      if (known !== undefined) found.set(key, known)
      else missing.set(key, text)
      sinceTurn += Math.max(text.text.length, CHUNK_LENGTH / CHUNK_TEXTS)
      if (sinceTurn < CHUNK_LENGTH) continue
      sinceTurn = 0
      await nextTurn()
      if (isOver()) return undefined
    }
    if (isOver()) return undefined
    if (missing.size > 0) {
      const left = missing.entries()
      let isGivenUp = false
      const lane = async (): Promise<void> => {
        for (const [key, text] of left) {
          const vector = await embed(text)
          cache.set(key, vector)
          found.set(key, vector)
          if (isGivenUp || isOver()) return
        }
      }
      const lanes = Promise.all(Array.from({ length: LANES }, lane))
      await orOver(lanes, signal, giveUpAt - now())
      isGivenUp = true
    }
    const vectors = keys.flatMap((key) => found.get(key) ?? [])
    return vectors.length === keys.length && !isOver() ? vectors : undefined
  }
}

/** Settles with the work, or when the signal is aborted or the time is up. */
async function orOver(work: Promise<unknown>, signal: AbortSignal, leftMs: number): Promise<void> {
  let stop = (): void => undefined
  const over = new Promise<void>((resolve) => {
    const timer = Number.isFinite(leftMs) ? setTimeout(resolve, leftMs) : undefined
    const onAbort = (): void => resolve()
    signal.addEventListener('abort', onAbort)
    stop = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
    }
  })
  try {
    await Promise.race([work, over])
  } finally {
    stop()
    // It may still fail once nobody waits for it.
    work.catch(() => undefined)
  }
}
