/**
 * Requests as the gateways send them, member by member from their sources (helpers/gateway-rules name
 * them). Where a gateway leaves a member out, it is left out here.
 */
import {
  type ChatMessage,
  GATEWAY_MODEL,
  plainConversation,
  toolConversation,
} from '../../helpers/gateway-conversation.ts'
import { litellmTexts } from '../../helpers/gateway-rules/litellm-guardrail.ts'

export interface GoldenRequest {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** `_call_compress`: the messages, and the model only where there is one. */
export function litellmHeadroom(
  messages: readonly ChatMessage[] = toolConversation(),
  model: string | undefined = GATEWAY_MODEL,
): GoldenRequest {
  return {
    path: '/v1/compress',
    headers: { 'content-type': 'application/json', authorization: 'Bearer golden-key' },
    body: { messages, ...(model !== undefined && { model }) },
  }
}

/** `ContextCompression`: Headroom's flat contract with raw messages of the provider. */
export function agentgatewayCompression(messages: readonly ChatMessage[]): GoldenRequest {
  return {
    path: '/v1/compress',
    headers: { 'content-type': 'application/json' },
    body: { messages, model: GATEWAY_MODEL },
  }
}

/** `GenericGuardrailAPIRequest.model_dump(mode="json")`. */
export function litellmGuardrail(
  messages: readonly ChatMessage[] = toolConversation(),
  members: Readonly<Record<string, unknown>> = {},
): GoldenRequest {
  return {
    path: '/beta/litellm_basic_guardrail_api',
    headers: { 'content-type': 'application/json', 'x-api-key': 'golden-key' },
    body: {
      input_type: 'request',
      litellm_call_id: '6f2a3c1e-0b1d-4b59-9a55-52f0f3a1c001',
      litellm_trace_id: '6f2a3c1e-0b1d-4b59-9a55-52f0f3a1c002',
      structured_messages: messages,
      images: null,
      tools: [
        {
          type: 'function',
          function: {
            name: 'read_log',
            description: 'Reads the log of one step.',
            parameters: { type: 'object', properties: { step: { type: 'integer' } } },
          },
        },
      ],
      tool_calls: messages.flatMap(({ tool_calls: calls = [] }) => calls),
      texts: litellmTexts(messages).texts,
      request_data: {
        user_api_key_hash: null,
        user_api_key_alias: 'ci',
        user_api_key_team_id: null,
      },
      request_headers: { 'content-type': 'application/json', 'x-team': '[present]' },
      litellm_version: '1.92.0',
      additional_provider_specific_params: {},
      model: GATEWAY_MODEL,
      ...members,
    },
  }
}

/** The webhook plugin's `post(url, { ...context, eventType }, ...)`. */
export function portkeyWebhook(
  json: unknown = { model: GATEWAY_MODEL, messages: toolConversation(), stream: true },
  members: Readonly<Record<string, unknown>> = {},
): GoldenRequest {
  return {
    path: '/webhooks/portkey',
    headers: { 'content-type': 'application/json', 'user-agent': 'portkey-ai-gateway' },
    body: {
      request: { json, text: 'Go on.', isStreamingRequest: true, isTransformed: false },
      response: { json: {}, text: '', statusCode: null, isTransformed: false },
      provider: 'openai',
      requestType: 'chatComplete',
      metadata: {},
      eventType: 'beforeRequestHook',
      ...members,
    },
  }
}

const KONG_TEXTS = plainConversation(2, 30).map(({ content }, index) => ({
  msg_id: index,
  text: String(content),
}))

export const KONG_BODY = {
  text: KONG_TEXTS,
  model_name: 'gpt-4o',
  compress_type: 'rate',
  compress_ranges: [
    { min_tokens: 20, max_tokens: 200, value: 0.8 },
    { min_tokens: 200, max_tokens: 1_000_000, value: 0.3 },
  ],
  advanced_logging: false,
} as const

export const kongCompressPrompt: GoldenRequest = {
  path: '/llm/v1/compressPrompt',
  headers: { 'content-type': 'application/json' },
  body: KONG_BODY,
}

export const kongJsonRpc: GoldenRequest = {
  path: '/',
  headers: { 'content-type': 'application/json' },
  body: { jsonrpc: '2.0', id: 7, method: 'llm.v1.compressPrompt', params: KONG_BODY },
}

/** `GuardrailsPromptRequest`: messages flattened to a role and a text. */
export function agentgatewayGuardrail(
  messages: readonly ChatMessage[] = plainConversation(),
): GoldenRequest {
  return {
    path: '/request',
    headers: { 'content-type': 'application/json', 'x-precis-target': '5000' },
    body: { body: { messages } },
  }
}

/** `RawMessagesRequest`: the provider's own messages, without an envelope. */
export function agentgatewayRaw(messages: readonly ChatMessage[]): GoldenRequest {
  return {
    path: '/agentgateway/request',
    headers: { 'content-type': 'application/json' },
    body: { messages, model: GATEWAY_MODEL },
  }
}
