import type { IncomingHttpHeaders } from 'node:http'
import type { Reply } from './types.ts'

/** `error` of both OpenAI APIs. */
export function openaiError(
  status: number,
  message: string,
  param: string | null = null,
  code: string | null = null,
): Reply {
  const type =
    status === 429 ? 'requests' : status >= 500 ? 'server_error' : 'invalid_request_error'
  return { status, body: { error: { message, type, param, code } } }
}

export function authoriseBearer({ authorization }: IncomingHttpHeaders): Reply | undefined {
  if (authorization === undefined) {
    return openaiError(401, "You didn't provide an API key.")
  }
  return authorization.startsWith('Bearer ') && !authorization.includes('invalid')
    ? undefined
    : openaiError(401, 'Incorrect API key provided.', null, 'invalid_api_key')
}

/** The words of the API's reference, "Error codes". */
export function openaiStatusError(status: number, message?: string): Reply {
  if (status === 429) {
    return openaiError(429, message ?? 'Rate limit reached.', null, 'rate_limit_exceeded')
  }
  return openaiError(status, message ?? SERVER_ERROR)
}

export const SERVER_ERROR =
  'The server had an error while processing your request. Sorry about that!'
