import { asArray, asRecord, type JsonRecord } from '../wire-rules/json.ts'
import { authoriseBearer, openaiError, openaiStatusError } from './openai-errors.ts'
import { parseInput, piecesOf } from './speak.ts'
import type { LlmProtocol, ModelCall, ModelTurn, TurnContext } from './types.ts'
import { unknownMember } from './unknown-member.ts'

/** Reference, "Create chat completion". */
const KNOWN: ReadonlySet<string> = new Set([
  ...['audio', 'frequency_penalty', 'function_call', 'functions', 'logit_bias', 'logprobs'],
  ...['max_completion_tokens', 'max_tokens', 'messages', 'metadata', 'modalities', 'model', 'n'],
  ...['parallel_tool_calls', 'prediction', 'presence_penalty', 'prompt_cache_key'],
  ...['prompt_cache_retention', 'reasoning_effort', 'response_format', 'safety_identifier', 'seed'],
  ...['service_tier', 'stop', 'store', 'stream', 'stream_options', 'temperature', 'tool_choice'],
  ...['tools', 'top_logprobs', 'top_p', 'user', 'verbosity', 'web_search_options'],
])

/** `POST /v1/chat/completions` as OpenAI documents it. */
export const openaiChat: LlmProtocol = {
  format: 'openai-chat',
  authorise: authoriseBearer,

  validate: (body) => {
    if (typeof body.model !== 'string') {
      return openaiError(400, 'you must provide a model parameter')
    }
    if (!Array.isArray(body.messages)) {
      const missing = "Missing required parameter: 'messages'."
      return openaiError(400, missing, 'messages', 'missing_required_parameter')
    }
    const stranger = unknownMember(body, KNOWN)
    if (stranger === undefined) return undefined
    return openaiError(400, `Unrecognized request argument supplied: ${stranger}`)
  },

  refuse: (rule, pointer, body) => {
    const index = Number(pointer.split('/')[2] ?? 0)
    if (rule === 'call-without-result') {
      return openaiError(400, missingResults(body, index), `messages.[${index + 1}].role`)
    }
    if (rule === 'result-without-call') {
      const message =
        "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
      return openaiError(400, message, `messages.[${index}].role`)
    }
    return openaiError(400, `Invalid 'messages[${index}]' (${rule}).`, 'messages', 'invalid_value')
  },

  withQuestion: (body) => ({
    ...body,
    messages: [...asArray(body.messages), { role: 'user', content: '?' }],
  }),
  prompt: ({ messages, tools, functions }) => [messages, tools, functions],
  outputLimit: ({ max_completion_tokens, max_tokens }) =>
    [max_completion_tokens, max_tokens].find((limit) => typeof limit === 'number'),

  overflow: ({ tokens, window, output }) => {
    const excess =
      output === undefined
        ? `your messages resulted in ${tokens} tokens. Please reduce the length of the messages.`
        : `you requested ${tokens + output} tokens (${tokens} in the messages, ${output} in the completion). Please reduce the length of the messages or completion.`
    const message = `This model's maximum context length is ${window} tokens. However, ${excess}`
    return openaiError(400, message, 'messages', 'context_length_exceeded')
  },

  toolNames: ({ tools }) =>
    asArray(tools).map((tool) => String(asRecord(asRecord(tool).function).name)),
  callInputs: ({ messages }) =>
    asArray(messages).flatMap((message) =>
      asArray(asRecord(message).tool_calls).map((call) =>
        parseInput(asRecord(asRecord(call).function).arguments),
      ),
    ),
  isStream: ({ stream }) => stream === true,

  answer: (turn, context) => ({
    ...head(context, 'chat.completion'),
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: turn.text,
          refusal: null,
          annotations: [],
          ...(turn.calls.length > 0 && { tool_calls: turn.calls.map(toCall) }),
        },
        logprobs: null,
        finish_reason: finishReason(turn),
      },
    ],
    usage: usageOf(context),
  }),

  events: (turn, context) => {
    const deltas: JsonRecord[] = [
      { role: 'assistant', content: '', refusal: null },
      ...piecesOf(turn.text).map((content) => ({ content })),
      ...turn.calls.flatMap(callDeltas),
    ]
    const wantsUsage = asRecord(context.body.stream_options).include_usage === true
    const chunk = (choices: readonly unknown[], usage: unknown = null) =>
      event({
        ...head(context, 'chat.completion.chunk'),
        choices,
        ...(wantsUsage && { usage }),
      })
    const choice = (delta: JsonRecord, finish_reason: string | null = null) =>
      chunk([{ index: 0, delta, logprobs: null, finish_reason }])
    return [
      ...deltas.map((delta) => choice(delta)),
      choice({}, finishReason(turn)),
      ...(wantsUsage ? [chunk([], usageOf(context))] : []),
      'data: [DONE]\n\n',
    ]
  },

  countReply: () => undefined,
  error: openaiStatusError,
  errorEvent: () => event(openaiStatusError(500).body),
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`
}

function head({ seed, model }: TurnContext, object: string) {
  return {
    id: `chatcmpl-${seed}`,
    object,
    created: 1_760_000_000,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_00000000',
  }
}

function usageOf({ usage: { input, output } }: TurnContext) {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  }
}

function finishReason({ calls }: ModelTurn): string {
  return calls.length > 0 ? 'tool_calls' : 'stop'
}

function toCall({ id, name, input }: ModelCall) {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
}

/** A call's name comes first and whole, its arguments in pieces. */
function callDeltas({ id, name, input }: ModelCall, index: number): JsonRecord[] {
  const start = { index, id, type: 'function', function: { name, arguments: '' } }
  const pieces = piecesOf(JSON.stringify(input))
  return [
    { tool_calls: [start] },
    ...pieces.map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]
}

function missingResults(body: JsonRecord, index: number): string {
  const messages = asArray(body.messages)
  const answered = new Set<unknown>()
  for (let at = index + 1; asRecord(messages[at]).role === 'tool'; at += 1) {
    answered.add(asRecord(messages[at]).tool_call_id)
  }
  const missing = asArray(asRecord(messages[index]).tool_calls)
    .map((call) => asRecord(call).id)
    .filter((id) => !answered.has(id))
  return `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing.join(', ')}`
}
