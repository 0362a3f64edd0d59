import { randomUUID } from 'node:crypto'
import { type DecideServer, startDecideServer } from './decide-server.ts'
import { type AnswerFault, faultyProbability } from './fault.ts'
import type { RecordedRequest, Reply } from './protocol.ts'
import { findSystemOneFaults, systemOneTokens } from './system-one-rules.ts'
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

export interface SystemOneQuestion {
  readonly id: string
  readonly type: string
  readonly instructions?: unknown
  readonly criteria?: unknown
}

export interface SystemOneServerOptions {
  readonly answer?: (question: SystemOneQuestion, state: unknown) => TestAnswer
  readonly apiKey?: string
  readonly maxTokensLongest?: number
  readonly maxTokensTotal?: number
  readonly maxBodyBytes?: number
}

export const SYSTEM_ONE_KEY = 'test-system-one-key'
const MODELS = [
  { name: 'jev-1.13.0', description: 'Pinned version.', release_date: '2026-08-04' },
  { name: 'jev-1.14.0', description: 'Pinned version.', release_date: '2026-10-01' },
]
const ALIASES: Readonly<Record<string, string>> = {
  'jev-latest': 'jev-1.14.0',
  'jev-preview': 'jev-1.14.0',
}

/** A System One server on a free port of this machine, as TypeSafe documents it. */
export function createSystemOneServer(options: SystemOneServerOptions = {}): Promise<DecideServer> {
  const answer = options.answer ?? (() => 0.5)
  const maxLongest = options.maxTokensLongest ?? 32_000
  const maxTotal = options.maxTokensTotal ?? 64_000

  const evaluate = (request: RecordedRequest): Reply => {
    if (Buffer.byteLength(request.text) > (options.maxBodyBytes ?? 4 * 1024 * 1024)) {
      return errorReply(413, request)
    }
    const { json } = request
    if (json === undefined) return validationReply([JSON_FAULT])
    const faults = findSystemOneFaults(json)
    if (faults.length > 0) return validationReply(faults)
    const body = json as Fields
    const model = ALIASES[body.model as string] ?? (body.model as string)
    if (!MODELS.some(({ name }) => name === model)) return errorReply(400, request)
    const tokens = systemOneTokens(body)
    if (tokens.longest > maxLongest || tokens.total > maxTotal) return maxTokensReply()
    const answers = Object.entries(body.questions as Fields).map(([id, value]) => {
      const question = value as Fields & { type: string }
      return [id, encodeSystemOneAnswer(question, answer({ ...question, id }, body.state))]
    })
    return {
      status: 200,
      headers: requestId(),
      json: {
        model,
        answers: Object.fromEntries(answers),
        usage: { input_tokens: tokens.total, output_tokens: answers.length * 7 },
      },
    }
  }

  return startDecideServer({
    path: '/v1/systemone',
    errorReply,
    maxTokensReply,
    spoil,
    reply: (request) => {
      const refused = authenticate(request, options.apiKey ?? SYSTEM_ONE_KEY)
      if (refused !== undefined) return refused
      const { pathname } = new URL(request.path, 'http://server')
      if (request.method === 'GET' && pathname === '/v1/models') {
        return { status: 200, headers: requestId(), json: { models: MODELS } }
      }
      if (request.method === 'POST' && pathname === '/v1/systemone') return evaluate(request)
      return { status: 404, json: { detail: 'Not Found' } }
    },
  })
}

function requestId(): { 'x-typesafe-request-id': string } {
  return { 'x-typesafe-request-id': `req_${randomUUID()}` }
}

/** A missing header is 403 on the live service, whatever the documentation says. */
function authenticate({ headers }: RecordedRequest, key: string): Reply | undefined {
  if (headers.authorization === undefined) return detailReply(403, 'authentication_error')
  if (headers.authorization === `Bearer ${key}`) return undefined
  return detailReply(401, 'authentication_error')
}

function detailReply(status: number, type: string, message = 'The request was refused.'): Reply {
  return { status, headers: requestId(), json: { detail: { error_type: type, message } } }
}

const JSON_FAULT = { loc: ['body', 0], type: 'json_invalid', msg: 'JSON decode error', input: {} }

function validationReply(detail: readonly object[]): Reply {
  return { status: 422, headers: requestId(), json: { detail } }
}

/** The one documented error without a message. */
function maxTokensReply(): Reply {
  return {
    status: 400,
    headers: requestId(),
    json: { detail: { error_type: 'max_tokens_exceeded' } },
  }
}

function errorReply(status: number, request: RecordedRequest): Reply {
  switch (status) {
    case 400:
      return detailReply(400, 'api_usage_error', 'Invalid request.')
    case 401:
    case 403:
      return detailReply(status, 'authentication_error')
    case 413:
      return { status, headers: requestId(), json: { detail: 'Request Entity Too Large' } }
    case 422:
      return validationReply([
        { loc: ['body', 'state'], type: 'missing', msg: 'Field required', input: request.json },
      ])
    case 429:
      return detailReply(429, 'rate_limit_error')
    case 529:
      return detailReply(529, 'overloaded_error')
    default:
      return detailReply(status, 'internal_error')
  }
}

export function encodeSystemOneAnswer(
  question: Fields & { type: string },
  answer: TestAnswer,
): Fields {
  if (question.type === 'noul') return { type: 'noul', noul: answer }
  if (question.type === 'choice') {
    const labels = Object.keys(question.criteria as Fields)
    const probabilities = distribute(answer, labels.length, true)
    return {
      type: 'choice',
      choice: labels[modeOf(probabilities)],
      confidence: choiceCertainty(probabilities),
      probabilities: Object.fromEntries(
        labels.map((label, index) => [label, probabilities[index]]),
      ),
    }
  }
  const levels = question.criteria as unknown[]
  const probabilities = distribute(answer, levels.length, false)
  return {
    type: 'score',
    score: expectedScore(probabilities),
    confidence: scoreCertainty(probabilities),
    legend: { ...levels },
    probabilities: { ...probabilities },
  }
}

/** The first answer is spoiled, so that a test sees that the others are kept. */
function spoil(json: unknown, fault: AnswerFault): unknown {
  if (!isFields(json) || !isFields(json.answers)) return json
  const [first, ...others] = Object.entries(json.answers)
  if (first === undefined) return json
  const [id, answer] = first
  const rest = Object.fromEntries(others)
  if (fault === 'missing-ids') return { ...json, answers: rest }
  const spoiled =
    fault === 'wrong-types'
      ? { type: 'boolean', probability: 0.01 }
      : { ...(answer as Fields), noul: faultyProbability(fault) }
  return { ...json, answers: { [id]: spoiled, ...rest } }
}
