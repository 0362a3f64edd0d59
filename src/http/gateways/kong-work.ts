import { type KongCompressBody, KongCompressBodySchema } from '../../contract/gateways/kong.ts'
import { createValidatorCompiler } from '../../contract/validation/bounded-validator.ts'
import { validationFaults } from '../../contract/validation/validation-faults.ts'
import type { TokenCounters } from '../../tokens/token-counter.ts'
import type { Work } from '../../workers/work.ts'
import { encodeJson } from '../body/encode-json.ts'
import { answerJsonRpc, JSON_RPC, type MethodResult } from './json-rpc.ts'
import type { GatewayNote } from './note-outcome.ts'
import { type ShortenedText, shortenTexts } from './shorten-texts.ts'

export const KONG_METHOD = 'llm.v1.compressPrompt'

/** Kong's compress service, for a body that follows its schema. */
export const kongWork: Work<undefined, GatewayNote> = ({ body }, _ask, { conversation }) => {
  const result = compress(body as KongCompressBody, conversation.counters)
  return { answer: encodeJson(result), told: noteOf(result.text) }
}

/** The faults of a batch are many: each is told by its first. */
const validate = createValidatorCompiler(() => false)(KongCompressBodySchema)

/** The same for a request of JSON-RPC or a batch of them. No bytes: nothing is to be answered. */
export const kongJsonRpcWork: Work<undefined, GatewayNote> = ({ body }, _ask, { conversation }) => {
  const texts: ShortenedText[] = []
  const call = (params: unknown): MethodResult => {
    const verdict = validate(params)
    if (verdict !== true) {
      const [fault] = validationFaults(verdict.error)
      const where = fault === undefined ? '' : ` ${fault.pointer} ${fault.detail}`
      return { error: { code: JSON_RPC.invalidParams, message: `Invalid params:${where}` } }
    }
    const result = compress(params as KongCompressBody, conversation.counters)
    texts.push(...result.text)
    return { result }
  }
  const answer = answerJsonRpc(body, new Map([[KONG_METHOD, call]]))
  return {
    answer: answer === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(answer)),
    told: noteOf(texts),
  }
}

function compress(body: KongCompressBody, counters: TokenCounters) {
  const startedAt = performance.now()
  const { countTokens } = counters.forModel(body.model_name ?? undefined)
  const text = shortenTexts(body, countTokens)
  return { text, duration: Math.round(performance.now() - startedAt) / 1_000 }
}

function noteOf(texts: readonly ShortenedText[]): GatewayNote {
  let tokensBefore = 0
  let tokensAfter = 0
  for (const { compressor_results: counts } of texts) {
    tokensBefore += counts.original_token_count
    tokensAfter += counts.compress_token_count
  }
  const outcome = tokensAfter < tokensBefore ? 'compacted' : 'unchanged'
  return { outcome, tokensBefore, tokensAfter }
}
