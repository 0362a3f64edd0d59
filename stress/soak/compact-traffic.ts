import type { Bodies } from '../load/mix.ts'
import type { Caller } from './traffic.ts'

/** One answer in so many is read, and what it holds posted to /check. */
const CHECK_EVERY = 25

const JSON_HEADERS = { 'content-type': 'application/json' }

/** POST /compact, of which a sample is checked. Whether it was answered with 200. */
export function createCompactTraffic(
  { pool, patience, tally }: Caller,
  bodies: Bodies,
): () => Promise<boolean> {
  let number = 0

  async function check(posted: Buffer, text: string): Promise<void> {
    const { format } = JSON.parse(posted.toString()) as { format: string }
    const { messages, outcome } = JSON.parse(text) as { messages: unknown[]; outcome: string }
    if (outcome !== 'compacted') tally.fault(`/compact: outcome ${outcome}`)
    const answer = await pool().request({
      method: 'POST',
      path: '/check',
      headers: JSON_HEADERS,
      body: JSON.stringify({ format, messages }),
    })
    const body = await answer.body.text()
    tally.came('/check', String(answer.statusCode))
    if (answer.statusCode === 503) return
    const { valid } = JSON.parse(body) as { valid?: boolean }
    if (answer.statusCode !== 200 || valid !== true) tally.fault(`/check: not valid (${format})`)
  }

  return async () => {
    const size = bodies.nextClass()
    const posted = bodies.next(size)
    const signal = patience()
    number += 1
    const isRead = size !== '5 MB' && number % CHECK_EVERY === 0
    try {
      const { statusCode, headers, body } = await pool().request({
        method: 'POST',
        path: '/compact',
        headers: JSON_HEADERS,
        body: posted,
        ...(signal !== undefined && { signal }),
      })
      const text = statusCode !== 200 || isRead ? await body.text() : await drain(body)
      if (statusCode === 200) {
        tally.came('/compact', '200')
        if (isRead) await check(posted, text)
        return true
      }
      const { code = 'none' } = JSON.parse(text) as { code?: string }
      tally.came('/compact', `${statusCode} ${code}`)
      const isShed = statusCode === 503 && code === 'overloaded'
      if (!isShed) tally.fault(`/compact: ${statusCode} ${code}`)
      else if (headers['retry-after'] === undefined) tally.fault('/compact: no Retry-After')
    } catch (error) {
      if (signal?.aborted === true) tally.came('/compact', 'left')
      else tally.fault(`/compact: ${nameOf(error)}`)
    }
    return false
  }
}

async function drain(body: AsyncIterable<unknown>): Promise<string> {
  for await (const _chunk of body);
  return ''
}

/** Of a connection's end, never its text. */
export function nameOf(error: unknown): string {
  const { code, name } = error as { code?: string; name?: string }
  return code ?? name ?? 'unknown'
}
