import { isRecord } from '../../formats/json.ts'

/** Codes of JSON-RPC 2.0, section 5.1. */
export const JSON_RPC = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
} as const

/** Two characters of a body can be a request whose answer is an error of a hundred. */
const MAX_BATCH = 1_000

type Id = string | number | null

export type JsonRpcResponse =
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly result: unknown }
  | { readonly jsonrpc: '2.0'; readonly id: Id; readonly error: JsonRpcError }

export interface JsonRpcError {
  readonly code: number
  readonly message: string
}

/** What a method gives, or why it cannot. */
export type MethodResult = { readonly result: unknown } | { readonly error: JsonRpcError }

export type Methods = ReadonlyMap<string, (params: unknown) => MethodResult>

export function rpcError(code: number, message: string, id: Id = null): JsonRpcResponse {
  return { jsonrpc: '2.0', id, error: { code, message } }
}

/**
 * Answers a request or a batch of them; undefined where nothing is to be answered, which is where all
 * of it were notifications.
 */
export function answerJsonRpc(
  body: unknown,
  methods: Methods,
): JsonRpcResponse | readonly JsonRpcResponse[] | undefined {
  if (!Array.isArray(body)) return answerOne(body, methods)
  if (body.length === 0 || body.length > MAX_BATCH) {
    return rpcError(JSON_RPC.invalidRequest, `A batch must have 1 to ${MAX_BATCH} requests.`)
  }
  const answers = body.flatMap((one) => answerOne(one, methods) ?? [])
  return answers.length === 0 ? undefined : answers
}

function answerOne(request: unknown, methods: Methods): JsonRpcResponse | undefined {
  if (!isRecord(request) || request.jsonrpc !== '2.0' || typeof request.method !== 'string') {
    return rpcError(JSON_RPC.invalidRequest, 'This is no request of JSON-RPC 2.0.')
  }
  const { id, method, params } = request
  const isNotification = id === undefined
  if (!isNotification && id !== null && typeof id !== 'string' && typeof id !== 'number') {
    return rpcError(JSON_RPC.invalidRequest, 'The id must be a string, a number or null.')
  }
  if (isNotification) return undefined
  const call = methods.get(method)
  if (call === undefined) {
    const names = [...methods.keys()].join(', ')
    return rpcError(JSON_RPC.methodNotFound, `The methods are: ${names}.`, id)
  }
  return { jsonrpc: '2.0', id, ...call(params) }
}
