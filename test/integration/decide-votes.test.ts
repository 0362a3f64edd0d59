/**
 * Votes against a noisy server. The noise is what was measured on Jev: the same question asked again
 * moves P by up to 0.16, so that what is near the bar is dropped in one run and kept in the next.
 */
import { afterEach, describe, expect, test } from 'vitest'
import { createSystemOneServer } from '../helpers/decide-servers/system-one-server.ts'
import { decideVariables } from '../helpers/decide-wires.ts'
import { sampleConversation } from '../helpers/sample-conversation.ts'
import { createSeededRandom } from '../helpers/seeded-random.ts'
import type { CompactAnswer } from '../helpers/service-answers.ts'
import { startService } from '../helpers/start-service.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const BAR = 0.2
const NOISE = 0.08
const RUNS = 30
const PAIRS = 24

/** Half of the messages lie within the noise of the bar, the others far from it. */
function trueProbability(message: number): number {
  return message % 2 === 0 ? 0.13 + ((message * 7) % 15) / 100 : message % 4 === 1 ? 0.01 : 0.9
}

async function setUp(seed: number) {
  const random = createSeededRandom(seed)
  const server = await createSystemOneServer({
    answer: ({ id }) => {
      const noise = (random.next() - 0.5) * 2 * NOISE
      return Math.min(1, Math.max(0, trueProbability(Number(id.slice(5))) + noise))
    },
  })
  const service = await startService(decideVariables('systemone', server.url, 20_000))
  closing.push(server.close, service.close)
  const sample = sampleConversation('openai-chat', { pairs: PAIRS })
  const compact = (votes: number) =>
    service.ask<CompactAnswer>('/compact', {
      ...sample.request,
      targetTokens: 3_000,
      dryRun: true,
      options: { relevance: { votes, maxDropRatio: 1 } },
    })
  return { server, service, sample, compact }
}

/** Messages that a run called unneeded although they are not, or the other way round, by the truth. */
async function measure(votes: number, seed: number) {
  const { server, compact } = await setUp(seed)
  const dropped: ReadonlySet<number>[] = []
  for (let run = 0; run < RUNS; run += 1) {
    const { actions } = await compact(votes)
    const gone = actions.filter(
      ({ stage, action }) => stage === 'relevance' && action === 'dropped',
    )
    dropped.push(new Set(gone.map(({ index }) => index)))
  }
  const everyone = new Set(dropped.flatMap((indexes) => [...indexes]))
  let wrong = 0
  for (const indexes of dropped) {
    for (const index of everyone) {
      if (indexes.has(index) !== trueProbability(index) <= BAR) wrong += 1
    }
  }
  return { wrong, requests: server.requests.length }
}

describe('votes on a noisy decision model', () => {
  test('make fewer messages flip at the bar', async () => {
    const once = await measure(1, 11)
    const thrice = await measure(3, 11)
    expect(once.requests).toBe(RUNS)
    expect(thrice.requests).toBe(3 * RUNS)
    expect(once.wrong).toBeGreaterThan(RUNS)
    expect(thrice.wrong).toBeLessThan(once.wrong * 0.75)
  })

  test('are counted in the report, and asked about only near the bar', async () => {
    const { server, sample, compact } = await setUp(5)
    const answer = await compact(3)
    const near = sample.eligible.filter((index) => {
      const distance = Math.abs(trueProbability(index) - BAR)
      return distance < 0.15 - NOISE
    })
    expect(answer.relevance?.voted).toBeGreaterThanOrEqual(near.length)
    expect(answer.relevance?.voted).toBeLessThan(sample.eligible.length)
    expect(answer.relevance).toMatchObject({
      requests: 3,
      asked: sample.eligible.length,
      answered: sample.eligible.length,
    })
    const asked = server.requests.map(
      ({ json }) => Object.keys((json as { questions: object }).questions).length,
    )
    expect(asked).toEqual([
      sample.eligible.length,
      answer.relevance?.voted,
      answer.relevance?.voted,
    ])
  })

  test('are one unless they are asked for', async () => {
    const { server, compact } = await setUp(5)
    const answer = await compact(1)
    expect(answer.relevance).not.toHaveProperty('voted')
    expect(server.requests).toHaveLength(1)
  })

  test.each([0, 6, 1.5])('refuse %s', async (votes) => {
    const { service, sample } = await setUp(5)
    const body = { ...sample.request, targetTokens: 3_000, options: { relevance: { votes } } }
    await expect(service.ask('/compact', body)).rejects.toThrow()
  })
})
