import { asArray, asRecord, type JsonRecord } from '../wire-rules/json.ts'
import { piecesOf } from './speak.ts'
import type { LlmProtocol, ModelCall, ModelTurn, Reply, TurnContext } from './types.ts'
import { unknownMember } from './unknown-member.ts'

/** Reference, "Create a Message", with the members that are behind a beta header. */
const KNOWN: ReadonlySet<string> = new Set([
  ...['cache_control', 'container', 'context_management', 'diagnostics', 'inference_geo'],
  ...['max_tokens', 'thread', 'user_profile_id', 'workspace_id'],
  ...['mcp_servers', 'messages', 'metadata', 'model', 'output_config', 'service_tier', 'speed'],
  ...['stop_sequences', 'stream', 'system', 'temperature', 'thinking', 'tool_choice', 'tools'],
  ...['top_k', 'top_p'],
])

/** Reference, "Versions"; the official SDK sends the newer one since its version 1. */
const VERSIONS: ReadonlySet<unknown> = new Set(['2023-06-01', '2026-10-21'])

/** `POST /v1/messages` and `/v1/messages/count_tokens` as Anthropic documents them. */
export const anthropicMessages: LlmProtocol = {
  format: 'anthropic-messages',

  authorise: (headers) => {
    const key = headers['x-api-key'] ?? headers.authorization
    if (key === undefined) return anthropicError(401, 'x-api-key header is required')
    if (String(key).includes('invalid')) return anthropicError(401, 'invalid x-api-key')
    return VERSIONS.has(headers['anthropic-version'])
      ? undefined
      : anthropicError(400, 'anthropic-version: header is required')
  },

  validate: (body) => {
    if (typeof body.model !== 'string') return anthropicError(400, 'model: Field required')
    const isContinued = asRecord(body.thread).type === 'continue'
    if (!Array.isArray(body.messages) && !isContinued)
      return anthropicError(400, 'messages: Field required')
    const stranger = unknownMember(body, KNOWN)
    if (stranger === undefined) return undefined
    return anthropicError(400, `${stranger}: Extra inputs are not permitted`)
  },

  refuse: (rule, pointer, body) => {
    const [, , index = '0', , block = '0'] = pointer.split('/')
    const place = `messages.${index}`
    const id = blockAt(body, index, block)
    switch (rule) {
      case 'call-without-result':
        return anthropicError(
          400,
          `${place}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${id}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`,
        )
      case 'result-without-call':
        return anthropicError(
          400,
          `${place}.content.${block}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`,
        )
      case 'no-messages':
        return anthropicError(400, 'messages: at least one message is required')
      case 'empty-content':
        return anthropicError(
          400,
          `${place}: all messages must have non-empty content except for the optional final assistant message`,
        )
      default:
        return anthropicError(400, `${place}: invalid request (${rule})`)
    }
  },

  withQuestion: (body) => ({
    ...body,
    messages: [...asArray(body.messages), { role: 'user', content: '?' }],
  }),
  prompt: ({ messages, system, tools }) => [messages, system, tools],
  outputLimit: ({ max_tokens }) => (typeof max_tokens === 'number' ? max_tokens : undefined),

  overflow: ({ tokens, window, output = 0 }) =>
    anthropicError(
      400,
      tokens > window
        ? `prompt is too long: ${tokens} tokens > ${window} maximum`
        : `input length and \`max_tokens\` exceed context limit: ${tokens} + ${output} > ${window}, decrease input length or \`max_tokens\` and try again`,
    ),

  toolNames: ({ tools }) => asArray(tools).map((tool) => String(asRecord(tool).name)),
  callInputs: ({ messages }) =>
    asArray(messages)
      .flatMap((message) => asArray(asRecord(message).content).map(asRecord))
      .filter(({ type }) => type === 'tool_use')
      .map(({ input }) => input),
  isStream: ({ stream }) => stream === true,

  answer: (turn, context) => ({
    ...messageOf(context),
    content: [{ type: 'text', text: turn.text }, ...turn.calls.map(toBlock)],
    stop_reason: stopReason(turn),
    usage: usageOf(context, context.usage.output),
  }),

  events: (turn, context) => [
    event('message_start', {
      message: {
        ...messageOf(context),
        content: [],
        stop_reason: null,
        usage: usageOf(context, 1),
      },
    }),
    ...blockEvents(
      0,
      { type: 'text', text: '' },
      piecesOf(turn.text).map((text) => ({ type: 'text_delta', text })),
    ),
    event('ping', {}),
    ...turn.calls.flatMap((call, index) =>
      blockEvents(
        index + 1,
        { ...toBlock(call), input: {} },
        piecesOf(JSON.stringify(call.input)).map((partial_json) => ({
          type: 'input_json_delta',
          partial_json,
        })),
      ),
    ),
    event('message_delta', {
      delta: { stop_reason: stopReason(turn), stop_sequence: null },
      usage: usageOf(context, context.usage.output),
    }),
    event('message_stop', {}),
  ],

  countReply: (input_tokens) => ({ input_tokens }),
  error: (status, message) => anthropicError(status, message ?? MESSAGES[status] ?? 'Overloaded'),
  errorEvent: () =>
    `event: error\ndata: ${JSON.stringify(anthropicError(529, 'Overloaded').body)}\n\n`,
}

/** Reference, "Errors". */
const TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  500: 'api_error',
  503: 'api_error',
  529: 'overloaded_error',
}

const MESSAGES: Readonly<Record<number, string>> = {
  429: "This request would exceed your organization's rate limit of 40,000 input tokens per minute. Please reduce the prompt length.",
  500: 'Internal server error',
}

export function anthropicError(status: number, message: string): Reply {
  const type = TYPES[status] ?? 'invalid_request_error'
  return {
    status,
    body: { type: 'error', error: { type, message }, request_id: 'req_00000000' },
  }
}

function event(type: string, data: JsonRecord): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`
}

function blockEvents(index: number, start: JsonRecord, deltas: readonly JsonRecord[]): string[] {
  return [
    event('content_block_start', { index, content_block: start }),
    ...deltas.map((delta) => event('content_block_delta', { index, delta })),
    event('content_block_stop', { index }),
  ]
}

function messageOf({ seed, model }: TurnContext) {
  return {
    id: `msg_${seed}`,
    type: 'message',
    role: 'assistant',
    model,
    container: null,
    diagnostics: null,
    stop_details: null,
    stop_sequence: null,
  }
}

function usageOf({ usage: { input } }: TurnContext, output_tokens: number) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens,
    service_tier: 'standard',
  }
}

function stopReason({ calls }: ModelTurn): string {
  return calls.length > 0 ? 'tool_use' : 'end_turn'
}

function toBlock({ id, name, input }: ModelCall) {
  return { type: 'tool_use', id: `toolu_${id}`, name, input }
}

function blockAt({ messages }: JsonRecord, index: string, block: string): string {
  const { content } = asRecord(asArray(messages)[Number(index)])
  const { id, tool_use_id } = asRecord(asArray(content)[Number(block)])
  return String(id ?? tool_use_id ?? 'unknown')
}
