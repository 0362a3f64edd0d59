import type { DecidePort } from '../../engine/ports.ts'
import { createDigestCache } from '../embedded/digest-cache.ts'
import { defaultEmbedder } from '../embedded/embed.ts'
import { blend } from './blend.ts'
import { createEmbedTexts } from './embed-texts.ts'
import { createEmbeddingCache } from './embedding-cache.ts'
import { createEncoder } from './encoder.ts'
import { ENCODER_FILE, readVocabulary } from './installation.ts'
import { createMinilmDecider } from './minilm-decider.ts'
import { createTokenizer } from './tokenizer.ts'

/** What is remembered of the words of messages, as for the static model. */
const DIGEST_BYTES = 8 * 1024 * 1024

export interface MinilmOptions {
  /** What `npm run setup:minilm` made, found whole by `installationFaults`. */
  readonly folder: string
  readonly threads: number
  readonly timeoutMs: number
  /** Bound of the vectors that are remembered, by the hash of their message; 0 remembers none. */
  readonly cacheBytes: number
}

export interface OwnedMinilm {
  readonly port: DecidePort
  /** Rejects where the runtime cannot run the model on this machine. */
  readonly ready: Promise<void>
  readonly close: () => Promise<void>
}

export function openMinilm({ folder, threads, timeoutMs, cacheBytes }: MinilmOptions): OwnedMinilm {
  const tokenize = createTokenizer(readVocabulary(folder))
  const encoder = createEncoder({ folder, threads, file: ENCODER_FILE })
  const digests = createDigestCache(defaultEmbedder, DIGEST_BYTES)
  const embedTexts = createEmbedTexts({
    cache: createEmbeddingCache(cacheBytes),
    embed: async (text) =>
      blend(await encoder.encode(tokenize(text)), digests.digestOf(text).vector),
  })
  return {
    port: createMinilmDecider({ digests, embedTexts, timeoutMs }),
    ready: encoder.ready,
    close: encoder.close,
  }
}
