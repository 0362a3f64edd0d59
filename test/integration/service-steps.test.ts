/** Compaction in steps over HTTP: what a turn sends begins with what the turn before sent. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningService, startService } from '../helpers/start-service.ts'

let service: RunningService
/** Another replica, which remembers nothing. */
let forgetful: RunningService

beforeAll(async () => {
  service = await startService({})
  forgetful = await startService({ PRECIS_STEP_MEMO_BYTES: '0' })
})
afterAll(async () => {
  await service.close()
  await forgetful.close()
})

const TOPICS = ['orders', 'invoices', 'shipping', 'refunds', 'tax', 'accounts']

function said(index: number) {
  const topic = TOPICS[index % TOPICS.length]
  const filler = `The ${topic} service has rule ${index} about ${topic}. `.repeat(12)
  return { role: index % 2 === 0 ? 'user' : 'assistant', content: `${index}: ${filler}` }
}

const HISTORY = Array.from({ length: 81 }, (_, index) => said(index))
const TARGET = 4_000

interface Answer {
  readonly messages: readonly unknown[]
  readonly outcome: string
  readonly tokensBefore: number
  readonly tokensAfter: number
  readonly steps: { readonly taken: number; readonly recalled: number } | null
  readonly actions: readonly { readonly tokensBefore: number; readonly tokensAfter: number }[]
}

const turn = (at: RunningService, length: number, more: object = {}) =>
  at.ask<Answer>('/compact', {
    messages: HISTORY.slice(0, length),
    targetTokens: TARGET,
    lowWater: 0.5,
    ...more,
  })

/** Each turn ends with a message of the user's. */
const TURNS = Array.from({ length: 41 }, (_, index) => index * 2 + 1)

describe('a history that is posted whole on every turn', () => {
  it('is sent with what the turn before sent in front, but for a few steps', async () => {
    let before: Answer | undefined
    let taken = 0
    for (const length of TURNS) {
      const answer = await turn(service, length)
      expect(answer.tokensAfter).toBeLessThanOrEqual(TARGET)
      const steps = answer.steps?.taken ?? 0
      if (before !== undefined && steps === taken) {
        expect(answer.messages.slice(0, before.messages.length)).toEqual(before.messages)
      }
      expect(steps - taken).toBeLessThanOrEqual(1)
      taken = steps
      before = answer
    }
    expect(taken).toBeGreaterThan(1)
    expect(taken).toBeLessThan(TURNS.length / 4)
  })

  it('is the same on a replica that remembers nothing', async () => {
    for (const length of [41, 81]) {
      const known = await turn(service, length)
      const anew = await turn(forgetful, length)
      expect(anew.messages).toEqual(known.messages)
      expect(anew.steps).toMatchObject({ taken: known.steps?.taken, recalled: 0 })
      expect(known.steps?.recalled).toBeGreaterThan(0)
    }
  })

  it('is explained as one run: what the messages saved adds up', async () => {
    const answer = await turn(service, 81)
    const saved = answer.actions.reduce((sum, one) => sum + one.tokensBefore - one.tokensAfter, 0)
    expect(saved).toBe(answer.tokensBefore - answer.tokensAfter)
  })

  it('is not gone through in steps where nobody asked for that', async () => {
    expect((await turn(service, 81, { lowWater: undefined })).steps).toBeNull()
  })
})

describe('messages that are marked to be cached', () => {
  const marked = (history: readonly object[], at: number): object[] =>
    history.map((message, index) =>
      index === at ? { ...message, cache_control: { type: 'ephemeral' } } : message,
    )

  it('stay as they are where the target can be met with them', async () => {
    const messages = marked(HISTORY, 8)
    const answer = await turn(service, 81, { messages })
    expect(answer.messages.slice(0, 9)).toEqual(messages.slice(0, 9))
    expect(answer.steps).toMatchObject({ cached: { messages: 9, kept: true } })
  })

  it('are treated like all others where it cannot, and the answer says so', async () => {
    const answer = await turn(service, 81, { messages: marked(HISTORY, 78) })
    expect(answer.tokensAfter).toBeLessThanOrEqual(TARGET)
    expect(answer.steps).toMatchObject({ cached: { messages: 79, kept: false } })
    expect(answer).toMatchObject({
      warnings: expect.arrayContaining([
        expect.objectContaining({ code: 'cached-prefix-changed' }),
      ]),
    })
  })
})

describe('a low-water mark that is no share', () => {
  it('is refused with its place', async () => {
    const { statusCode, body } = await service.send('/compact', {
      method: 'POST',
      body: { messages: HISTORY, lowWater: 1.5 },
    })
    expect(statusCode).toBe(400)
    expect(JSON.parse(body)).toMatchObject({ errors: [{ pointer: '/lowWater' }] })
  })
})
