import type { RerankDialectName } from '../../../src/decide/wires/rerank-dialects.ts'
import type { Reply } from './protocol.ts'

const GENERAL = 'The request was refused.'

/** An error as each server words it; none quotes the request but vLLM's validation does. */
export function rerankError(
  dialect: RerankDialectName,
  status: number,
  message = GENERAL,
  kind?: string,
): Reply {
  return { status, json: ENVELOPES[dialect](status, message, kind) }
}

type Envelope = (status: number, message: string, kind: string | undefined) => unknown

const openAiLike: Envelope = (status, message, kind) => ({
  error: { message, type: kind ?? nameOf(status), param: null, code: status },
})

const ENVELOPES: Readonly<Record<RerankDialectName, Envelope>> = {
  cohere: (_status, message) => ({ id: '6f9c2f5e-1c0d-4c1b-9c44-3f5f0f8d9f11', message }),
  jina: (_status, message) => ({ detail: message }),
  vllm: openAiLike,
  infinity: openAiLike,
  'llama-cpp': (status, message, kind) => ({
    error: { code: status, message, type: kind ?? 'server_error' },
  }),
  tei: (status, message, kind) => ({
    error: message,
    error_type: kind ?? TEI_TYPES[status] ?? 'validation',
  }),
}

const TEI_TYPES: Readonly<Record<number, string>> = {
  400: 'empty',
  413: 'validation',
  422: 'tokenizer',
  424: 'backend',
  429: 'overloaded',
  503: 'unhealthy',
}

function nameOf(status: number): string {
  if (status === 401) return 'AuthenticationError'
  if (status === 404) return 'NotFoundError'
  return status < 500 ? 'BadRequestError' : 'InternalServerError'
}
