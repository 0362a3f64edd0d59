import { type DecideServer, startDecideServer } from './decide-server.ts'
import { type AnswerFault, faultyProbability } from './fault.ts'
import type { RecordedRequest, Reply } from './protocol.ts'
import { estimateTokens, type Fields, isFields } from './validation.ts'

export interface GenerativeScoringServerOptions {
  /** P(yes) after a whole prompt. */
  readonly answer?: (prompt: string) => number
  readonly apiKey?: string
  /** Longer prompts lose their end without a word, as on the real server. */
  readonly maxModelTokens?: number
  readonly vocabulary?: number
}

export const GENERATIVE_SCORING_KEY = 'test-generative-scoring-key'
export const GENERATIVE_SCORING_MODEL = 'test/scorer'
/** Tokens of yes and no in the vocabulary of that model. */
export const LABEL_TOKEN_IDS = { yes: 9454, no: 2753 }

/** vLLM's generative scoring on a free port of this machine. */
export function createGenerativeScoringServer(
  options: GenerativeScoringServerOptions = {},
): Promise<DecideServer> {
  const answer = options.answer ?? (() => 0.5)
  const key = options.apiKey ?? GENERATIVE_SCORING_KEY
  const vocabulary = options.vocabulary ?? 151_936

  const evaluate = ({ json }: RecordedRequest): Reply => {
    const fault = findFault(json, vocabulary)
    if (fault !== undefined) return errorReply(400, fault)
    const body = json as Fields
    if (body.model !== undefined && body.model !== GENERATIVE_SCORING_MODEL) return errorReply(404)
    const isSwapped = body.item_first === true
    const prompts = (body.items as string[]).map((item) =>
      isSwapped ? `${item}${body.query}` : `${body.query}${item}`,
    )
    const [first] = body.label_token_ids as number[]
    const scores = prompts.map((prompt) => {
      const yes = answer(cut(prompt, options.maxModelTokens ?? 32_768))
      return first === LABEL_TOKEN_IDS.yes ? yes : 1 - yes
    })
    const tokens = prompts.reduce((sum, prompt) => sum + estimateTokens(prompt), 0)
    return {
      status: 200,
      json: {
        id: 'generative-scoring-1',
        object: 'list',
        created: 0,
        model: GENERATIVE_SCORING_MODEL,
        data: scores.map((score, index) => ({ index, object: 'score', score })),
        usage: { prompt_tokens: tokens, total_tokens: tokens, completion_tokens: 0 },
      },
    }
  }

  return startDecideServer({
    path: '/generative_scoring',
    reply: (request) => {
      if (request.headers.authorization !== `Bearer ${key}`) return errorReply(401)
      return request.method === 'POST' && request.path === '/generative_scoring'
        ? evaluate(request)
        : errorReply(404)
    },
    errorReply: (status) => errorReply(status),
    maxTokensReply: () =>
      errorReply(400, 'The input is longer than the model takes.', 'input_tokens'),
    spoil,
  })
}

function findFault(body: unknown, vocabulary: number): string | undefined {
  if (!isFields(body)) return 'the body must be an object'
  if (typeof body.query !== 'string') return 'query is required'
  const { items, label_token_ids: labels } = body
  if (!Array.isArray(items) || items.length === 0) return 'items must not be empty'
  if (items.some((item) => typeof item !== 'string')) return 'items must be texts'
  if (!Array.isArray(labels) || labels.length === 0) return 'label_token_ids must not be empty'
  const isToken = (id: unknown) =>
    Number.isInteger(id) && Number(id) >= 0 && Number(id) < vocabulary
  return labels.every(isToken) ? undefined : 'label_token_ids must be in the vocabulary'
}

/** Of about as many tokens as fit: the end goes. */
function cut(prompt: string, maxTokens: number): string {
  const tokens = estimateTokens(prompt)
  return tokens <= maxTokens ? prompt : prompt.slice(0, (prompt.length * maxTokens) / tokens)
}

function errorReply(
  status: number,
  message = 'The request was refused.',
  param: string | null = null,
): Reply {
  const type = status < 500 ? 'BadRequestError' : 'InternalServerError'
  return { status, json: { error: { message, type, param, code: status } } }
}

/** The answer to the first item is spoiled, so that a test sees that the others are kept. */
function spoil(json: unknown, fault: AnswerFault): unknown {
  if (!isFields(json) || !Array.isArray(json.data)) return json
  const [first, ...rest] = json.data as Fields[]
  if (first === undefined) return json
  if (fault === 'missing-ids') return { ...json, data: rest }
  const spoiled =
    fault === 'wrong-types'
      ? { index: first.index, object: 'classification', probs: [0.99, 0.01] }
      : { ...first, score: faultyProbability(fault) }
  return { ...json, data: [spoiled, ...rest] }
}
