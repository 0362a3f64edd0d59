import { REQUESTS } from '../../test/helpers/proxy/conversations.ts'
import { nameOf } from './compact-traffic.ts'
import type { Caller } from './traffic.ts'

/** Turns of the proxied conversations; they are over the windows that the service is told. */
const TURNS = 20

const KEYS = {
  'content-type': 'application/json',
  authorization: 'Bearer key',
  'x-api-key': 'key',
  'anthropic-version': '2023-06-01',
  'x-goog-api-key': 'key',
}

/** What the provider answers when it is ill, and what the service says of a provider that does not. */
const EXPECTED = new Set([200, 500, 502, 503, 504, 529])

const ROUTES = [
  { ...REQUESTS['openai-chat'], stream: true },
  { ...REQUESTS['openai-responses'], stream: true },
  { ...REQUESTS['anthropic-messages'], stream: true },
  { ...REQUESTS.gemini, stream: false },
]

/** Requests of the providers' APIs, most of them streams. Whether one was answered with 200. */
export function createProxyTraffic({ pool, patience, tally }: Caller): () => Promise<boolean> {
  const templates = ROUTES.map(({ path, body, stream }) => ({
    path,
    text: JSON.stringify({ ...body(TURNS), ...(stream && { stream }) }),
  }))
  let number = 0
  return async () => {
    number += 1
    const template = templates[number % templates.length]
    if (template === undefined) return false
    const signal = patience()
    try {
      const { statusCode, body } = await pool().request({
        method: 'POST',
        path: template.path,
        headers: KEYS,
        body: template.text.replaceAll('Turn ', `Session ${number}, turn `),
        ...(signal !== undefined && { signal }),
      })
      const text = await body.text()
      tally.came('proxied', String(statusCode))
      if (!EXPECTED.has(statusCode)) tally.fault(`proxied: ${statusCode}`)
      // The service's own failures say so: no provider has such a type.
      if (text.includes('"precis:internal"')) tally.fault('proxied: an internal error')
      return statusCode === 200
    } catch (error) {
      if (signal?.aborted === true) tally.came('proxied', 'left')
      // A provider that breaks off in the middle of an answer, which is passed on as it is.
      else tally.came('proxied', `broken off (${nameOf(error)})`)
      return false
    }
  }
}
