import { findChatFault, promptOf } from './chat-logprobs-rules.ts'
import { type DecideServer, startDecideServer } from './decide-server.ts'
import { type AnswerFault, faultyProbability } from './fault.ts'
import type { RecordedRequest, Reply } from './protocol.ts'
import { estimateTokens, type Fields, isFields } from './validation.ts'

/** What the model says first: P(yes), the probabilities of tokens, or a refusal in words. */
export type ChatAnswer = number | Readonly<Record<string, number>> | 'refusal' | 'no-logprobs'

export interface ChatLogprobsServerOptions {
  readonly answer?: (prompt: string) => ChatAnswer
  readonly apiKey?: string
  readonly contextTokens?: number
  /** Most alternatives that may be asked for. Default 20. */
  readonly maxTopLogprobs?: number
}

export const CHAT_LOGPROBS_KEY = 'test-chat-logprobs-key'
export const CHAT_LOGPROBS_MODEL = 'test-chat-model'
const PATH = '/v1/chat/completions'

/** An OpenAI-compatible chat server with log probabilities on a free port of this machine. */
export function createChatLogprobsServer(
  options: ChatLogprobsServerOptions = {},
): Promise<DecideServer> {
  const answer = options.answer ?? (() => 0.5)
  const key = options.apiKey ?? CHAT_LOGPROBS_KEY
  const contextTokens = options.contextTokens ?? 131_072

  const evaluate = ({ json }: RecordedRequest): Reply => {
    const fault = findChatFault(json, options.maxTopLogprobs ?? 20)
    if (fault !== undefined) return errorReply(400, fault.message, fault.param)
    const body = json as Fields
    if (body.model !== CHAT_LOGPROBS_MODEL) return errorReply(404, 'No such model.', 'model')
    const prompt = promptOf(body)
    const tokens = estimateTokens(prompt)
    if (tokens + 1 > contextTokens) return maxTokensReply()
    return { status: 200, json: complete(body, answer(prompt), tokens) }
  }

  return startDecideServer({
    path: PATH,
    reply: (request) => {
      if (request.headers.authorization !== `Bearer ${key}`) return errorReply(401)
      return request.method === 'POST' && request.path === PATH
        ? evaluate(request)
        : errorReply(404)
    },
    errorReply: (status) => errorReply(status),
    maxTokensReply,
    spoil,
  })
}

function complete(body: Fields, answer: ChatAnswer, promptTokens: number): unknown {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 0,
    model: body.model,
    choices: [toChoice(answer, Number(body.top_logprobs))],
    usage: { prompt_tokens: promptTokens, completion_tokens: 1, total_tokens: promptTokens + 1 },
    service_tier: 'default',
  }
}

function toChoice(answer: ChatAnswer, top: number): Fields {
  const refusal = answer === 'refusal' ? 'I cannot help with that.' : null
  const tokens =
    typeof answer === 'object' ? answer : { Yes: Number(answer), No: 1 - Number(answer) }
  const listed = Object.entries(tokens)
    .filter(([, probability]) => probability > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([token, probability]) => toLogprob(token, Math.log(probability)))
  const hasTokens = typeof answer === 'number' || typeof answer === 'object'
  const [first] = listed
  return {
    index: 0,
    message: { role: 'assistant', content: hasTokens ? (first?.token ?? '') : null, refusal },
    logprobs: hasTokens
      ? {
          content: [{ ...first, top_logprobs: [...listed, ...UNLIKELY].slice(0, top) }],
          refusal: null,
        }
      : null,
    finish_reason: 'length',
  }
}

function toLogprob(token: string, logprob: number) {
  return { token, logprob, bytes: [...Buffer.from(token)] }
}

/** What the API writes for tokens that are next to impossible. */
const UNLIKELY = ['The', ' maybe', '\n'].map((token) => toLogprob(token, -9999))

function maxTokensReply(): Reply {
  return errorReply(
    400,
    "This model's maximum context length is exceeded.",
    'messages',
    'context_length_exceeded',
  )
}

function errorReply(
  status: number,
  message = 'The request was refused.',
  param: string | null = null,
  code: string | null = CODES[status] ?? null,
): Reply {
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  return { status, json: { error: { message, type, param, code } } }
}

const CODES: Readonly<Record<number, string>> = {
  401: 'invalid_api_key',
  404: 'model_not_found',
  429: 'rate_limit_exceeded',
}

/** Spoils the answer of the one question that a completion answers. */
function spoil(json: unknown, fault: AnswerFault): unknown {
  if (!isFields(json) || !Array.isArray(json.choices)) return json
  if (fault === 'missing-ids') return { ...json, choices: [] }
  const [choice] = json.choices as Fields[]
  const logprob = fault === 'below-zero' ? 'x' : faultyLogprob(fault)
  const content = [{ ...toLogprob('No', 0), logprob, top_logprobs: [] }]
  const logprobs = fault === 'wrong-types' ? { content: 'No' } : { content }
  return { ...json, choices: [{ ...choice, logprobs }] }
}

/** A logarithm above zero is a probability above one. */
function faultyLogprob(fault: AnswerFault): unknown {
  return fault === 'above-one' ? 0.4 : faultyProbability(fault)
}
