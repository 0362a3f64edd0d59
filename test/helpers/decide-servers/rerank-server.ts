import type { RerankDialectName } from '../../../src/decide/wires/rerank-dialects.ts'
import { type DecideServer, startDecideServer } from './decide-server.ts'
import { type AnswerFault, faultyProbability } from './fault.ts'
import type { RecordedRequest, Reply } from './protocol.ts'
import { rerankError } from './rerank-errors.ts'
import { findRerankFault, longestPair, textsOf } from './rerank-rules.ts'
import { type Fields, isFields } from './validation.ts'

export interface RerankServerOptions {
  readonly dialect: RerankDialectName
  /** Relevance from 0 to 1. Servers of raw scores answer with its logit. */
  readonly answer?: (document: string, query: string) => number
  /** Asked for as a bearer key; null asks for none. */
  readonly apiKey?: string | null
  readonly maxDocuments?: number
  /** Most tokens of query and document, where the server does not cut them. */
  readonly maxPairTokens?: number
}

export const RERANK_KEY = 'test-rerank-key'
export const RERANK_MODEL = 'test-reranker'

interface ServedDialect {
  readonly path: string
  readonly member: 'documents' | 'texts'
  readonly needsModel: boolean
  readonly maxDocuments: number
  readonly maxPairTokens: number
  /** The status of a batch that is too large. */
  readonly batchStatus: number
  readonly rawScores: boolean
}

const MANY = 10_000
const SERVED: Readonly<Record<RerankDialectName, ServedDialect>> = {
  cohere: served('/v2/rerank', { batchStatus: 400 }),
  jina: served('/v1/rerank', { batchStatus: 422 }),
  vllm: served('/v1/rerank', {}),
  infinity: served('/rerank', { maxDocuments: 2_048, batchStatus: 422 }),
  'llama-cpp': served('/v1/rerank', { maxPairTokens: 512, rawScores: true, needsModel: false }),
  tei: served('/rerank', { member: 'texts', needsModel: false, maxDocuments: 32 }),
}

function served(path: string, differing: Partial<ServedDialect>): ServedDialect {
  return {
    path,
    member: 'documents',
    needsModel: true,
    maxDocuments: MANY,
    maxPairTokens: Number.POSITIVE_INFINITY,
    batchStatus: 413,
    rawScores: false,
    ...differing,
  }
}

/** A rerank server of one of the six kinds on a free port of this machine, as each is documented. */
export function createRerankServer(options: RerankServerOptions): Promise<DecideServer> {
  const { dialect, answer = () => 0.5 } = options
  const kind = SERVED[dialect]
  const key = options.apiKey === undefined ? RERANK_KEY : options.apiKey
  const maxDocuments = options.maxDocuments ?? kind.maxDocuments
  const maxPairTokens = options.maxPairTokens ?? kind.maxPairTokens

  const evaluate = ({ json }: RecordedRequest): Reply => {
    const fault = findRerankFault(json, kind.member, kind.needsModel)
    if (fault !== undefined) return rerankError(dialect, dialect === 'jina' ? 422 : 400, fault)
    const body = json as Fields
    if (kind.needsModel && body.model !== RERANK_MODEL) {
      return rerankError(dialect, 404, 'model not found')
    }
    const texts = textsOf(body)
    if (texts.length > maxDocuments) {
      return rerankError(dialect, kind.batchStatus, `batch size ${texts.length} > ${maxDocuments}`)
    }
    if (longestPair(body) > maxPairTokens) return tooLong(dialect)
    const scores = texts.map((text) => answer(text, String(body.query)))
    return { status: 200, json: encodeScores(dialect, body, kind.rawScores, scores) }
  }

  return startDecideServer({
    path: kind.path,
    reply: (request) => {
      if (key !== null && request.headers.authorization !== `Bearer ${key}`) {
        return rerankError(dialect, 401, 'invalid api token')
      }
      const { pathname } = new URL(request.path, 'http://server')
      return request.method === 'POST' && pathname === kind.path
        ? evaluate(request)
        : rerankError(dialect, 404, 'not found')
    },
    errorReply: (status) => rerankError(dialect, status),
    maxTokensReply: () => tooLong(dialect),
    spoil,
  })
}

/** What a pair that is too long comes to, where anything is said about it. */
function tooLong(dialect: RerankDialectName): Reply {
  if (dialect === 'vllm') {
    const error = { message: GENERAL_LENGTH, type: 'BadRequestError', param: 'input_tokens' }
    return { status: 400, json: { error: { ...error, code: 400 } } }
  }
  return dialect === 'llama-cpp'
    ? rerankError(dialect, 400, GENERAL_LENGTH, 'exceed_context_size_error')
    : rerankError(dialect, 413, GENERAL_LENGTH)
}

const GENERAL_LENGTH = 'The input is longer than the model takes.'

/** Highest score first, as all but vLLM's score endpoint sort them; `top_n` 0 means all. */
function encodeScores(
  dialect: RerankDialectName,
  body: Fields,
  raw: boolean,
  probabilities: readonly number[],
): unknown {
  const scored = probabilities
    .map((probability, index) => ({ index, value: raw ? logit(probability) : probability }))
    .sort((a, b) => b.value - a.value)
  if (dialect === 'tei') return scored.map(({ index, value }) => ({ index, score: value }))
  const top = Number(body.top_n ?? 0)
  const results = (top === 0 ? scored : scored.slice(0, top)).map(({ index, value }) => ({
    index,
    relevance_score: value,
    ...(dialect === 'vllm' && { document: { text: textsOf(body)[index] } }),
  }))
  return { ...ENVELOPES[dialect], results }
}

const ENVELOPES: Readonly<Record<Exclude<RerankDialectName, 'tei'>, Fields>> = {
  cohere: {
    id: '07734bd2-2473-4f07-94e1-0d9f0e6843cf',
    meta: { api_version: { version: '2' }, billed_units: { search_units: 1 } },
  },
  jina: { model: RERANK_MODEL, usage: { total_tokens: 8 } },
  vllm: { id: 'rerank-1', model: RERANK_MODEL, usage: { total_tokens: 9 } },
  infinity: {
    object: 'rerank',
    id: 'infinity-1',
    model: RERANK_MODEL,
    created: 0,
    usage: { prompt_tokens: 1, total_tokens: 1 },
  },
  'llama-cpp': {
    model: RERANK_MODEL,
    object: 'list',
    usage: { prompt_tokens: 8, total_tokens: 8 },
  },
}

function logit(probability: number): number {
  return Math.log(probability / (1 - probability))
}

/** The answer to the first document is spoiled, so that a test sees that the others are kept. */
function spoil(json: unknown, fault: AnswerFault): unknown {
  const bare = Array.isArray(json)
  const results = bare ? json : isFields(json) ? json.results : undefined
  if (!Array.isArray(results)) return json
  const rest = (results as readonly Fields[]).filter(({ index }) => index !== 0)
  const first = (results as readonly Fields[]).find(({ index }) => index === 0)
  const spoiled = first === undefined ? [] : spoilResult(first, fault)
  return bare ? [...spoiled, ...rest] : { ...(json as Fields), results: [...spoiled, ...rest] }
}

function spoilResult(result: Fields, fault: AnswerFault): readonly unknown[] {
  if (fault === 'missing-ids') return []
  const { index, ...others } = result
  if (fault === 'wrong-types') return [{ ...others, index: String(index) }]
  const member = 'score' in result ? 'score' : 'relevance_score'
  return [{ ...result, [member]: faultyProbability(fault) }]
}
