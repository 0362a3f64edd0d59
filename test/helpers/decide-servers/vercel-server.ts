import { type DecideServer, startDecideServer } from './decide-server.ts'
import { type AnswerFault, faultyProbability } from './fault.ts'
import type { RecordedRequest, Reply } from './protocol.ts'
import { findSystemOneFaults, systemOneTokens } from './system-one-rules.ts'
import { encodeSystemOneAnswer, type SystemOneQuestion } from './system-one-server.ts'
import { type Fields, isFields, type TestAnswer } from './validation.ts'

export interface VercelServerOptions {
  readonly answer?: (question: SystemOneQuestion, state: unknown) => TestAnswer
  readonly maxTokensTotal?: number
  /** Whether `probabilities` come with choices and scores; the schema has them optional. */
  readonly withProbabilities?: boolean
  /** Whether the provider tells its confidence. */
  readonly withConfidence?: boolean
}

export const VERCEL_KEY = 'test-vercel-gateway-key'
const MODEL = 'typesafe-ai/jev'
const REQUIRED_HEADERS = [
  ['ai-gateway-protocol-version', '0.0.1'],
  ['ai-evaluation-model-specification-version', '4'],
] as const

/** The evaluation endpoint of Vercel's AI Gateway on a free port, as the AI SDK's provider uses it. */
export function createVercelServer(options: VercelServerOptions = {}): Promise<DecideServer> {
  const answer = options.answer ?? (() => 0.5)

  const evaluate = (request: RecordedRequest): Reply => {
    const { headers, json } = request
    if (REQUIRED_HEADERS.some(([name, value]) => headers[name] !== value)) return errorReply(400)
    const model = headers['ai-model-id']
    if (typeof model !== 'string' || model === '') return errorReply(400)
    if (model !== MODEL) return envelope(404, 'model_not_found')
    const body = toSystemOne(json)
    if (body === undefined || findSystemOneFaults(body).length > 0) return errorReply(400)
    const tokens = systemOneTokens(body)
    if (tokens.total > (options.maxTokensTotal ?? 64_000)) return maxTokensReply()
    const confidence: Fields = {}
    const answers = Object.entries(body.questions as Fields).map(([id, value]) => {
      const question = value as Fields & { type: string }
      const encoded = encodeSystemOneAnswer(question, answer({ ...question, id }, body.state))
      if (encoded.confidence !== undefined) confidence[id] = encoded.confidence
      return [id, fromSystemOne(encoded, options.withProbabilities ?? true)]
    })
    return {
      status: 200,
      json: {
        answers: Object.fromEntries(answers),
        rounding: { probabilityDecimals: 2 },
        usage: { inputTokens: tokens.total, outputTokens: 7 },
        warnings: [],
        providerMetadata: {
          gateway: { cost: '0.0000123', generationId: 'gen_1' },
          typesafe: options.withConfidence === false ? {} : { confidence },
        },
      },
    }
  }

  return startDecideServer({
    path: '/v4/ai/evaluation-model',
    errorReply,
    maxTokensReply,
    spoil,
    reply: (request) => {
      const { headers } = request
      if (headers.authorization !== `Bearer ${VERCEL_KEY}`) return errorReply(401)
      if (headers['ai-gateway-auth-method'] !== 'api-key') return errorReply(401)
      const { pathname } = new URL(request.path, 'http://server')
      if (request.method === 'POST' && pathname === '/v4/ai/evaluation-model') {
        return evaluate(request)
      }
      return envelope(404, 'not_found')
    },
  })
}

/** The same questions under System One's names; undefined for a body that is not the gateway's. */
function toSystemOne(json: unknown): Fields | undefined {
  if (!isFields(json) || json.model !== undefined || !isFields(json.questions)) return undefined
  const questions = Object.entries(json.questions).map(([id, question]) => {
    if (!isFields(question)) return [id, question]
    // The gateway's vocabulary has no other word for it.
    const type =
      question.type === 'boolean' ? 'noul' : question.type === 'noul' ? '' : question.type
    return [id, { ...question, type }]
  })
  return { ...json, model: MODEL, questions: Object.fromEntries(questions) }
}

function fromSystemOne(answer: Fields, withProbabilities: boolean): Fields {
  if (answer.type === 'noul') return { type: 'boolean', probability: answer.noul }
  const { confidence: _, legend: __, probabilities, ...rest } = answer
  return withProbabilities ? { ...rest, probabilities } : rest
}

function envelope(status: number, type: string, code: string | null = null): Reply {
  return {
    status,
    json: { error: { message: 'The request was refused.', type, param: null, code } },
  }
}

function errorReply(status: number): Reply {
  switch (status) {
    case 401:
      return envelope(401, 'authentication_error')
    case 403:
      return envelope(403, 'forbidden', 'customer_verification_required')
    case 429:
      return envelope(429, 'rate_limit_exceeded')
    default:
      return envelope(status, status >= 500 ? 'internal_server_error' : 'invalid_request_error')
  }
}

function maxTokensReply(): Reply {
  return envelope(400, 'invalid_request_error', 'max_tokens_exceeded')
}

function spoil(json: unknown, fault: AnswerFault): unknown {
  if (!isFields(json) || !isFields(json.answers)) return json
  const [first, ...others] = Object.entries(json.answers)
  if (first === undefined) return json
  const [id, answer] = first
  const rest = Object.fromEntries(others)
  if (fault === 'missing-ids') return { ...json, answers: rest }
  const spoiled =
    fault === 'wrong-types'
      ? { type: 'refusal' }
      : { ...(answer as Fields), probability: faultyProbability(fault) }
  return { ...json, answers: { [id]: spoiled, ...rest } }
}
