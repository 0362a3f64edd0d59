import type { JsonObject } from '../../engine/transcript.ts'
import type { ScoreScale } from '../calibration/calibration.ts'

export const RERANK_DIALECTS = ['cohere', 'jina', 'vllm', 'infinity', 'llama-cpp', 'tei'] as const
export type RerankDialectName = (typeof RERANK_DIALECTS)[number]

export interface RerankInput {
  readonly model: string
  readonly query: string
  readonly documents: readonly string[]
}

export interface RerankDialect {
  /** What its scores are when it is asked as `body` asks. */
  readonly scale: ScoreScale
  readonly maxDocuments: number
  /** Most tokens of query and one document, where the server does not cut them by itself. */
  readonly maxPairTokens?: number
  /** How it words that a pair is too long, where neither status nor names tell. */
  readonly tooLong?: RegExp
  readonly body: (input: RerankInput) => JsonObject
}

/**
 * Where no limit is documented, or none that matters. A server on a small machine may not score 300
 * pairs before the deadline; what it did score in smaller requests is kept.
 */
const USUAL_BATCH = 64

/**
 * How servers differ in what they take. All are asked for every score, since a missing one is no answer.
 *
 * - `cohere`: `/v2/rerank`, 1 to 10,000 documents, cut to 4,096 tokens each; scores from 0 to 1
 * - `jina`: `/v1/rerank`; scores from 0 to 1, but for models that give cosines: those need a
 *   calibration of scale `logit`
 * - `vllm`: `/v1/rerank`; scores after the activation, 0 to 1; cuts to the model's length when asked to
 * - `infinity`: `/rerank`, 1 to 2,048 documents; a sigmoid unless raw scores are asked for
 * - `llama-cpp`: `/v1/rerank`; the logits of the model. A pair that does not fit its physical batch,
 *   512 tokens unless `--ubatch-size` says more, is an error
 * - `tei`: `/rerank`, `texts` and a bare array back, `--max-client-batch-size` 32; a sigmoid unless raw
 *   scores are asked for. Has one model, and takes no name for it
 */
export const RERANKERS: Readonly<Record<RerankDialectName, RerankDialect>> = {
  cohere: { scale: 'unit', maxDocuments: 1_000, tooLong: /^too many tokens/, body: common },
  jina: {
    scale: 'unit',
    maxDocuments: USUAL_BATCH,
    body: (input) => ({ ...common(input), return_documents: false }),
  },
  vllm: {
    scale: 'unit',
    maxDocuments: USUAL_BATCH,
    body: (input) => ({ ...common(input), truncate_prompt_tokens: -1 }),
  },
  infinity: {
    scale: 'unit',
    maxDocuments: USUAL_BATCH,
    body: (input) => ({ ...common(input), return_documents: false, raw_scores: false }),
  },
  'llama-cpp': {
    scale: 'logit',
    maxDocuments: USUAL_BATCH,
    maxPairTokens: 512,
    tooLong: /too large to process/,
    body: common,
  },
  tei: {
    scale: 'unit',
    maxDocuments: 32,
    body: ({ query, documents }) => ({
      query,
      texts: [...documents],
      raw_scores: false,
      truncate: true,
    }),
  },
}

function common({ model, query, documents }: RerankInput): JsonObject {
  return { model, query, documents: [...documents], top_n: documents.length }
}
