import type { SeededRandom } from '../../test/helpers/seeded-random.ts'
import { conversationListOf } from '../../test/helpers/wire-rules/index.ts'
import { asArray, asRecord } from '../../test/helpers/wire-rules/json.ts'
import { drawCase } from './draw-conversation.ts'
import { drawTarget, MODELS } from './own-routes.ts'
import type { Draft, JsonRecord } from './types.ts'

/** 503 is the answer to too much at once; the contracts that can pass instead do. */
const STATUSES = [200, 503]

/** What a gateway may say of a request beside its body. */
function drawHeaders(random: SeededRandom): Record<string, string> {
  return {
    'content-type': 'application/json',
    ...(random.chance(0.1) && { 'x-precis-bypass': random.pick(['true', 'false', '1', '']) }),
    ...(random.chance(0.2) && { 'x-precis-target': String(1 + random.below(3_000)) }),
    ...(random.chance(0.1) && { 'x-precis-profile': random.pick(['agent', 'rubyn', 'NEUROLINK']) }),
    ...(random.chance(0.1) && { 'x-precis-timeout-ms': random.pick(['50', '1000', '0030000']) }),
  }
}

function draft(
  surface: Draft['surface'],
  path: string,
  random: SeededRandom,
  body: unknown,
  rest: Partial<Draft> = {},
): Draft {
  return {
    surface,
    method: 'POST',
    path: random.chance(0.05) ? `${path}?timeout_ms=${50 + random.below(9_000)}` : path,
    headers: drawHeaders(random),
    body,
    statuses: STATUSES,
    ...rest,
  }
}

export function headroomDraft(random: SeededRandom): Draft {
  const { format, payload } = drawCase(random, ['openai-chat', 'anthropic-messages'])
  const config = {
    compress_user_messages: random.pick([true, false, null]),
    protect_recent: random.pick([0, 1, 6, null]),
    frozen_message_count: random.pick([0, 1, 3, 10_000, null]),
    target_ratio: random.pick([0.1, 0.5, 1, null]),
    mode: random.pick(['ccr', 'lossy_inline', null]),
  }
  const body = {
    messages: payload.messages,
    model: random.pick([...Object.values(MODELS), null]),
    ...(random.chance(0.5) && { token_budget: drawTarget(random, payload.messages) }),
    ...(random.chance(0.3) && { session_id: 'a session' }),
    ...(random.chance(0.5) && { config }),
  }
  return draft('headroom', '/v1/compress', random, body, { format })
}

const REQUEST_TYPES = {
  'openai-chat': 'chatComplete',
  'anthropic-messages': 'messages',
  'openai-responses': 'createModelResponse',
} as const

export function portkeyDraft(random: SeededRandom): Draft {
  const formats = ['openai-chat', 'anthropic-messages', 'openai-responses'] as const
  const format = random.pick(formats)
  const { payload } = drawCase(random, [format])
  const json = { ...payload, model: random.pick(Object.values(MODELS)), max_tokens: 100 }
  const body = {
    request: { json, text: 'what it says', isStreamingRequest: false },
    response: { json: {}, text: '', statusCode: null },
    provider: 'openai',
    requestType: REQUEST_TYPES[format],
    metadata: {},
    eventType: random.chance(0.95) ? 'beforeRequestHook' : 'afterRequestHook',
  }
  return draft('portkey', '/webhooks/portkey', random, body, { format })
}

/** The texts as LiteLLM collects them: whole contents, and the texts of parts. */
function textsOf(messages: readonly unknown[]): string[] {
  return messages.flatMap((message) => {
    const { content } = asRecord(message)
    if (typeof content === 'string') return [content]
    return asArray(content).flatMap((part) => {
      const { text } = asRecord(part)
      return typeof text === 'string' ? [text] : []
    })
  })
}

export function litellmDraft(random: SeededRandom): Draft {
  const { payload } = drawCase(random, ['openai-chat'])
  const messages = conversationListOf(payload)
  const params = random.chance(0.5)
    ? { target_tokens: drawTarget(random, messages) }
    : { context_window: 400 + random.below(9_000), max_output_tokens: 100 }
  const body = {
    input_type: random.chance(0.95) ? 'request' : 'response',
    texts: textsOf(messages),
    structured_messages: messages,
    model: random.pick([...Object.values(MODELS), null]),
    additional_provider_specific_params: params,
    request_data: { user_api_key_alias: 'somebody' },
  }
  // The service's own budget: a window may be smaller than what is reserved of it.
  return draft('litellm', '/beta/litellm_basic_guardrail_api', random, body)
}

function kongBody(random: SeededRandom): JsonRecord {
  const texts = textsOf(conversationListOf(drawCase(random, ['openai-chat']).payload))
  const isRate = random.chance(0.5)
  const range = (least: number, most: number) => ({
    min_tokens: least,
    max_tokens: most,
    value: isRate ? 0.05 + 0.95 * random.next() : 1 + random.below(200),
  })
  return {
    text: random.chance(0.2)
      ? (texts[0] ?? '')
      : texts.map((text, index) => ({ msg_id: random.pick([index, `m${index}`]), text })),
    model_name: random.pick([...Object.values(MODELS), null]),
    compress_type: isRate ? 'rate' : 'target_token',
    compress_ranges: [range(0, 100), range(101, 100_000)],
  }
}

export function kongDraft(random: SeededRandom): Draft {
  return draft('kong', '/llm/v1/compressPrompt', random, kongBody(random))
}

export function kongRpcDraft(random: SeededRandom): Draft {
  const one = (): JsonRecord => ({
    jsonrpc: '2.0',
    method: random.chance(0.9) ? 'llm.v1.compressPrompt' : 'other',
    params: kongBody(random),
    ...(random.chance(0.9) && { id: random.pick([1, 'a', null, 0.5]) }),
  })
  const body = random.chance(0.3) ? Array.from({ length: 1 + random.below(4) }, one) : one()
  return draft('kong-rpc', '/', random, body, { statuses: [200, 204, 503] })
}

export function agentgatewayDraft(random: SeededRandom): Draft {
  const path = random.pick(['/request', '/agentgateway/request'])
  const { format, payload } = drawCase(random, ['openai-chat'])
  const model = random.pick([...Object.values(MODELS), null])
  const messages = conversationListOf(payload)
  const body = random.chance(0.5) ? { messages, model } : { body: { messages }, model }
  return draft('agentgateway', path, random, body, { format })
}
