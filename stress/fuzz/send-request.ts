import { type Dispatcher, errors } from 'undici'
import type { Answer, SentRequest } from './types.ts'

export type Outcome = { readonly answer: Answer } | { readonly failure: 'hang' | 'broken' }

/** Sends what a client can send. The dispatcher has the time limits; what runs into them hangs. */
export async function sendRequest(
  dispatcher: Dispatcher,
  origin: string,
  { method, path, headers, body }: SentRequest,
): Promise<Outcome> {
  try {
    const response = await dispatcher.request({
      origin,
      method: method as Dispatcher.HttpMethod,
      path,
      headers,
      ...(body !== undefined && { body }),
    })
    const bytes = Buffer.from(await response.body.arrayBuffer())
    return { answer: { status: response.statusCode, headers: response.headers, body: bytes } }
  } catch (error) {
    const isLate =
      error instanceof errors.HeadersTimeoutError || error instanceof errors.BodyTimeoutError
    return { failure: isLate ? 'hang' : 'broken' }
  }
}
