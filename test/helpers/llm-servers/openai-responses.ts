import { asArray, asRecord, type JsonRecord } from '../wire-rules/json.ts'
import { authoriseBearer, openaiError, openaiStatusError, SERVER_ERROR } from './openai-errors.ts'
import { responseEvents, responseObject } from './openai-responses-answer.ts'
import { parseInput } from './speak.ts'
import type { LlmProtocol } from './types.ts'
import { unknownMember } from './unknown-member.ts'

/** Reference, "Create a model response". */
const KNOWN: ReadonlySet<string> = new Set([
  ...['background', 'context_management', 'conversation', 'include', 'input', 'instructions'],
  ...['max_output_tokens', 'max_tool_calls', 'metadata', 'model', 'parallel_tool_calls'],
  ...['previous_response_id', 'prompt', 'prompt_cache_key', 'prompt_cache_retention', 'reasoning'],
  ...['safety_identifier', 'service_tier', 'store', 'stream', 'stream_options', 'temperature'],
  ...['text', 'tool_choice', 'tools', 'top_logprobs', 'top_p', 'truncation', 'user'],
])

/** `POST /v1/responses` as OpenAI documents it. What it remembers is in stored-responses.ts. */
export const openaiResponses: LlmProtocol = {
  format: 'openai-responses',
  authorise: authoriseBearer,

  validate: (body) => {
    const stranger = unknownMember(body, KNOWN)
    if (stranger !== undefined) {
      return openaiError(400, `Unknown parameter: '${stranger}'.`, stranger, 'unknown_parameter')
    }
    const missing = ['model', 'input'].find((name) => body[name] === undefined)
    if (missing === undefined) return undefined
    return openaiError(
      400,
      `Missing required parameter: '${missing}'.`,
      missing,
      'missing_required_parameter',
    )
  },

  refuse: (rule, pointer, body) => {
    const index = Number(pointer.split('/')[2] ?? 0)
    const item = asRecord(asArray(body.input)[index])
    const id = String(item.call_id ?? item.id)
    const call = CALLS[String(item.type)] ?? 'function call'
    if (rule === 'call-without-result') {
      return openaiError(400, `No tool output found for ${call} ${id}.`, 'input')
    }
    if (rule === 'result-without-call') {
      return openaiError(400, `No tool call found for ${call} with call_id ${id}.`, 'input')
    }
    if (rule === 'reasoning-without-item') {
      const message = `Item '${item.id}' of type 'reasoning' was provided without its required following item.`
      return openaiError(400, message, 'input')
    }
    return openaiError(
      400,
      `Invalid 'input[${index}]' (${rule}).`,
      `input[${index}]`,
      'invalid_value',
    )
  },

  withQuestion: (body) => ({
    ...body,
    input:
      typeof body.input === 'string'
        ? body.input
        : [...asArray(body.input), { role: 'user', content: '?' }],
  }),
  prompt: ({ input, instructions, tools }) => [input, instructions, tools],
  /** The input alone must fit: what is left of the window is left to the answer. */
  outputLimit: () => undefined,
  overflow: () => openaiError(400, TOO_LONG, 'input', 'context_length_exceeded'),

  /** A stream has begun when the input is found too long, and says so itself. */
  overflowsInStream: (context) =>
    responseEvents.failed(context, 'context_length_exceeded', TOO_LONG),

  toolNames: ({ tools }) =>
    asArray(tools)
      .map(asRecord)
      .filter(({ type }) => type === 'function')
      .map(({ name }) => String(name)),
  callInputs: ({ input }) =>
    asArray(input)
      .map(asRecord)
      .filter(({ type }) => type === 'function_call')
      .map((item) => parseInput(item.arguments)),
  isStream: ({ stream }) => stream === true,
  answer: responseObject,
  events: responseEvents.completed,
  countReply: () => undefined,
  error: openaiStatusError,
  errorEvent: () => {
    const data = { type: 'error', code: 'server_error', message: SERVER_ERROR, param: null }
    return `event: error\ndata: ${JSON.stringify({ ...data, sequence_number: 99 })}\n\n`
  },
}

const TOO_LONG =
  'Your input exceeds the context window of this model. Please adjust your input and try again.'

const CALLS: Readonly<Record<string, string>> = {
  function_call: 'function call',
  function_call_output: 'function call output',
  custom_tool_call: 'custom tool call',
  custom_tool_call_output: 'custom tool call output',
}

/** What of a request the next one may refer to. */
export function inputItemsOf({ input }: JsonRecord): readonly unknown[] {
  return typeof input === 'string' ? [{ role: 'user', content: input }] : asArray(input)
}
