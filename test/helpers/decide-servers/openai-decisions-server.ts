import { type DecideServer, startDecideServer } from './decide-server.ts'
import { type AnswerFault, faultyProbability } from './fault.ts'
import { decisionsTokens, findDecisionsFault } from './openai-decisions-rules.ts'
import type { RecordedRequest, Reply } from './protocol.ts'
import {
  choiceCertainty,
  distribute,
  expectedScore,
  type Fields,
  isFields,
  modeOf,
  scoreCertainty,
  type TestAnswer,
} from './validation.ts'

interface DecisionsQuestion {
  readonly type: string
  readonly name?: string | null
  readonly instructions: string
  readonly choices?: readonly { readonly value: string | boolean; readonly description?: string }[]
  readonly levels?: readonly { readonly label: string; readonly description?: string }[]
}

export interface OpenAiDecisionsServerOptions {
  readonly answer?: (question: DecisionsQuestion, input: unknown) => TestAnswer | 'refusal'
  readonly apiKey?: string
  readonly maxTokens?: number
  readonly maxBodyBytes?: number
  /** Default: OpenAI's 400. A LiteLLM proxy takes 128. */
  readonly maxQuestions?: number
}

export const OPENAI_DECISIONS_KEY = 'test-openai-decisions-key'
const MODEL = 'gpt-6-luna'

/** An OpenAI Decisions server on a free port of this machine, as OpenAI documents it. */
export function createOpenAiDecisionsServer(
  options: OpenAiDecisionsServerOptions = {},
): Promise<DecideServer> {
  const answer = options.answer ?? (() => 0.5)

  const evaluate = (request: RecordedRequest): Reply => {
    if (Buffer.byteLength(request.text) > (options.maxBodyBytes ?? 4 * 1024 * 1024)) {
      return errorReply(413)
    }
    if (request.json === undefined) return envelope(400, 'invalid_request_error', null)
    const fault = findDecisionsFault(request.json, options.maxQuestions)
    if (fault !== undefined) {
      return envelope(400, 'invalid_request_error', fault.code, fault.param, fault.message)
    }
    const body = request.json as Fields
    if (body.model !== MODEL) return envelope(404, 'invalid_request_error', 'model_not_found')
    const tokens = decisionsTokens(body)
    if (tokens > (options.maxTokens ?? 128_000)) return maxTokensReply()
    const questions = body.questions as DecisionsQuestion[]
    return {
      status: 200,
      json: {
        model: MODEL,
        answers: questions.map((question) => encodeAnswer(question, answer(question, body.input))),
        usage: {
          input_tokens: tokens,
          input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
          output_tokens: 0,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: tokens,
        },
      },
    }
  }

  return startDecideServer({
    path: '/v1/decisions',
    errorReply,
    maxTokensReply,
    spoil,
    reply: (request) => {
      const key = options.apiKey ?? OPENAI_DECISIONS_KEY
      if (request.headers.authorization !== `Bearer ${key}`) return errorReply(401)
      const { pathname } = new URL(request.path, 'http://server')
      if (request.method === 'GET' && pathname === '/v1/models') {
        const model = { id: MODEL, object: 'model', created: 1_790_000_000, owned_by: 'openai' }
        return { status: 200, json: { object: 'list', data: [model] } }
      }
      if (request.method === 'POST' && pathname === '/v1/decisions') return evaluate(request)
      return envelope(404, 'invalid_request_error', null)
    },
  })
}

function envelope(
  status: number,
  type: string,
  code: string | null,
  param: string | null = null,
  message = 'The request was refused.',
): Reply {
  return { status, json: { error: { message, type, param, code } } }
}

function maxTokensReply(): Reply {
  return envelope(400, 'invalid_request_error', 'context_length_exceeded', 'input')
}

function errorReply(status: number): Reply {
  switch (status) {
    case 401:
      return envelope(401, 'invalid_request_error', 'invalid_api_key')
    case 403:
      return envelope(403, 'permission_error', null)
    case 429:
      return envelope(429, 'requests', 'rate_limit_exceeded')
    default:
      return envelope(status, status >= 500 ? 'server_error' : 'invalid_request_error', null)
  }
}

function encodeAnswer(question: DecisionsQuestion, answer: TestAnswer | 'refusal'): Fields {
  const name = question.name ?? null
  if (answer === 'refusal') return { type: 'refusal', name }
  if (question.type === 'predicate') return { type: 'predicate', name, probability: answer }
  if (question.type === 'choice') {
    const choices = question.choices ?? []
    const probabilities = distribute(answer, choices.length, true)
    return {
      type: 'choice',
      name,
      choice: choices[modeOf(probabilities)]?.value,
      probabilities: choices.map(({ value }, index) => ({
        value,
        probability: probabilities[index],
      })),
      confidence: choiceCertainty(probabilities),
    }
  }
  const levels = question.levels ?? []
  const probabilities = distribute(answer, levels.length, false)
  return {
    type: 'score',
    name,
    score: expectedScore(probabilities),
    probabilities: levels.map(({ label }, value) => ({
      value,
      label,
      probability: probabilities[value],
    })),
    confidence: scoreCertainty(probabilities),
  }
}

/** The first answer is spoiled, so that a test sees that the others are kept. */
function spoil(json: unknown, fault: AnswerFault): unknown {
  if (!isFields(json) || !Array.isArray(json.answers)) return json
  const [first, ...rest] = json.answers as Fields[]
  if (first === undefined) return json
  if (fault === 'missing-ids') return { ...json, answers: rest }
  const spoiled =
    fault === 'wrong-types'
      ? { type: 'noul', name: first.name, noul: 0.01 }
      : { ...first, probability: faultyProbability(fault) }
  return { ...json, answers: [spoiled, ...rest] }
}
