import { randomUUID } from 'node:crypto'
import { type DecideServer, startDecideServer } from './decide-server.ts'
import { type AnswerFault, faultyProbability } from './fault.ts'
import type { RecordedRequest, Reply } from './protocol.ts'
import { findSystemOneFaults, systemOneTokens } from './system-one-rules.ts'
import { encodeSystemOneAnswer, type SystemOneQuestion } from './system-one-server.ts'
import { type Fields, isFields, type TestAnswer } from './validation.ts'

export interface OpenRouterServerOptions {
  readonly answer?: (question: SystemOneQuestion, state: unknown) => TestAnswer
  readonly maxTokensTotal?: number
  /** Members that this provider leaves out of choices and scores; the schema has them optional. */
  readonly omit?: readonly ('confidence' | 'probabilities' | 'legend')[]
  /** Whether what the provider said comes as JSON, or as its text. */
  readonly rawAsText?: boolean
}

export const OPENROUTER_KEY = 'test-openrouter-key'
const MODELS = ['typesafe/jev-1.13', '~typesafe/jev-latest', 'openai/gpt-6-luna']
const MAX_QUESTIONS = 200

/** OpenRouter's decisions endpoint on a free port of this machine, as its documentation has it. */
export function createOpenRouterServer(
  options: OpenRouterServerOptions = {},
): Promise<DecideServer> {
  const answer = options.answer ?? (() => 0.5)
  const omit: readonly string[] = options.omit ?? []

  const evaluate = (request: RecordedRequest): Reply => {
    const { json } = request
    if (!isFields(json)) return errorReply(400)
    if (findSystemOneFaults(json).length > 0) return errorReply(400)
    const questions = Object.entries(json.questions as Fields)
    if (questions.length > MAX_QUESTIONS) return errorReply(400)
    if (questions.some(([, question]) => !isComplete(question as Fields))) return errorReply(400)
    if (!MODELS.includes(json.model as string)) return errorReply(400)
    const tokens = systemOneTokens(json)
    if (tokens.total > (options.maxTokensTotal ?? 64_000)) return maxTokensReply()
    const answers = questions.map(([id, value]) => {
      const question = value as Fields & { type: string }
      const encoded = encodeSystemOneAnswer(question, answer({ ...question, id }, json.state))
      return [
        id,
        Object.fromEntries(Object.entries(encoded).filter(([name]) => !omit.includes(name))),
      ]
    })
    return {
      status: 200,
      json: {
        id: `gen-${randomUUID()}`,
        model: json.model === '~typesafe/jev-latest' ? 'typesafe/jev-1.14' : json.model,
        provider: 'TypeSafe',
        answers: Object.fromEntries(answers),
        usage: { input_tokens: tokens.total, output_tokens: 7, cost: 0.0000123 },
      },
    }
  }

  /** What the provider answered is passed on behind OpenRouter's own words. */
  const maxTokensReply = (): Reply => {
    const body = { detail: { error_type: 'max_tokens_exceeded' } }
    const raw = options.rawAsText === false ? body : JSON.stringify(body)
    return errorReply(400, { provider_name: 'TypeSafe', raw })
  }

  return startDecideServer({
    path: '/api/alpha/decisions',
    errorReply: (status) => errorReply(status),
    maxTokensReply,
    spoil,
    reply: (request) => {
      if (request.headers.authorization !== `Bearer ${OPENROUTER_KEY}`) return errorReply(401)
      const { pathname } = new URL(request.path, 'http://server')
      if (request.method === 'POST' && pathname === '/api/alpha/decisions') return evaluate(request)
      return errorReply(404)
    },
  })
}

/** Instructions are required, and criteria of a noul come in twos. */
function isComplete({ type, instructions, criteria }: Fields): boolean {
  if (typeof instructions !== 'string' || instructions === '') return false
  if (type !== 'noul' || criteria === undefined) return true
  return isFields(criteria) && criteria.true !== undefined && criteria.false !== undefined
}

function errorReply(status: number, metadata?: Fields): Reply {
  const error = { code: status, message: 'The request was refused.' }
  return { status, json: { error: metadata === undefined ? error : { ...error, metadata } } }
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
      ? { type: 'unknown', probability: 0.01 }
      : { ...(answer as Fields), noul: faultyProbability(fault) }
  return { ...json, answers: { [id]: spoiled, ...rest } }
}
