import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sendRaw } from '../../../stress/fuzz/send-raw.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'
import { type RunningService, startService } from '../../helpers/start-service.ts'

const LIMIT_MS = 10_000

let service: RunningService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.close())

/** The one answer to bytes after which the caller says nothing more. */
async function answerTo(text: string) {
  const steps = [{ write: Buffer.from(text) }, { endAfterMs: LIMIT_MS }]
  const { answers } = await sendRaw(new URL(service.url), { steps }, LIMIT_MS)
  expect(answers).toHaveLength(1)
  const [answer] = answers
  if (answer === undefined) throw new Error('no answer came')
  const { status, headers, body } = answer
  return { statusCode: status, headers, body: body.toString() }
}

describe('what Node.js would answer with a bare status', () => {
  it('is a problem document for a request of HTTP/1.1 that names no host', async () => {
    const answer = await answerTo('GET /healthz HTTP/1.1\r\n\r\n')
    expect(expectProblem(answer, 'invalid-request').detail).toContain('Host')
  })

  it('is no fault of a request of HTTP/1.0', async () => {
    expect((await answerTo('GET /healthz HTTP/1.0\r\n\r\n')).statusCode).toBe(200)
  })

  it('is no reason to refuse a request that expects what nobody knows', async () => {
    const head = 'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: something\r\n\r\n'
    expect((await answerTo(head)).statusCode).toBe(200)
  })

  it('is asked for the body all the same where the request expects that', async () => {
    const body = '{"messages":[{"role":"user","content":"a"}],"format":"openai-chat"}'
    const head = `POST /check HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`
    expect((await answerTo(head + body)).statusCode).toBe(200)
  })
})
