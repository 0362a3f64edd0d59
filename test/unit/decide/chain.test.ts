import { describe, expect, test } from 'vitest'
import { createDecideChain } from '../../../src/decide/chain.ts'
import type { DecideFailure, DecideRequest } from '../../../src/engine/ports.ts'
import { gateRequest, relevanceRequest } from '../../helpers/decide-servers/relevance-request.ts'
import { createFakeDecider, LOCAL_TRAITS } from '../../helpers/fake-decider.ts'

const FAILURES: readonly DecideFailure[] = [
  'authentication',
  'invalid-request',
  'max-tokens-exceeded',
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
  'malformed-answer',
  'breaker-open',
  'busy',
  'deadline',
  'error',
]
const ask = (texts: number, extra: Partial<DecideRequest> = {}): DecideRequest => ({
  ...relevanceRequest(Array.from({ length: texts }, (_, index) => `text ${index}`)),
  ...extra,
})
const probabilities = (answers: ReadonlyMap<string, unknown>) =>
  [...answers].map(([id, answer]) => [id, (answer as { probability: number }).probability])

describe('a fallback chain', () => {
  test('asks nobody else while the first model answers', async () => {
    const first = createFakeDecider('systemone', { answer: () => 0.1 })
    const second = createFakeDecider('embedded', { answer: () => 0.9, traits: LOCAL_TRAITS })
    const chain = createDecideChain([first, second])
    const result = await chain.decide(ask(2))
    expect(result).toMatchObject({
      wire: 'systemone',
      model: 'systemone-model',
      requests: 1,
      links: [{ wire: 'systemone', result: 'answered', answered: 2 }],
      traits: { order: 'oldest-first', riskBudget: undefined },
    })
    expect(second.requests).toHaveLength(0)
    expect(chain.traits).toMatchObject({ wire: 'systemone', order: 'oldest-first' })
  })

  test('asks the next when the first has no opinion, and has none itself where nobody has', async () => {
    const silent = (wire: 'systemone' | 'embedded') => {
      const model = createFakeDecider(wire, { answer: () => undefined })
      return {
        ...model,
        decide: async (request: DecideRequest) => ({
          ...(await model.decide(request)),
          abstained: true,
        }),
      }
    }
    const answering = createFakeDecider('embedded', { answer: () => 0.9, traits: LOCAL_TRAITS })
    const answered = await createDecideChain([silent('systemone'), answering]).decide(ask(2))
    expect(answered.links?.map(({ result }) => result)).toEqual(['abstained', 'answered'])
    expect(answered).not.toHaveProperty('abstained')
    const failing = createFakeDecider('systemone', { failure: 'timeout' })
    const failed = await createDecideChain([failing, silent('embedded')]).decide(ask(2))
    expect(failed).toMatchObject({ failure: 'timeout' })
    expect(failed).not.toHaveProperty('abstained')
    const nobody = await createDecideChain([silent('systemone'), silent('embedded')]).decide(ask(2))
    expect(nobody).toMatchObject({ abstained: true })
    expect(nobody).not.toHaveProperty('failure')
  })

  test.each(FAILURES)('asks the next when the first fails (%s), and says so', async (failure) => {
    const first = createFakeDecider('systemone', { failure })
    const second = createFakeDecider('embedded', { answer: () => 0.9, traits: LOCAL_TRAITS })
    const result = await createDecideChain([first, second]).decide(ask(2))
    expect(result).not.toHaveProperty('failure')
    expect(result).toMatchObject({
      wire: 'embedded',
      model: 'embedded-model',
      requests: 2,
      links: [
        { wire: 'systemone', result: failure, answered: 0 },
        { wire: 'embedded', result: 'answered', answered: 2 },
      ],
      traits: { order: 'least-needed-first', riskBudget: 0.05 },
    })
  })

  test('asks the next when the first answers nothing it was asked', async () => {
    const second = createFakeDecider('rerank', { answer: () => 0.9 })
    const result = await createDecideChain([createFakeDecider('systemone'), second]).decide(ask(2))
    expect(result.links?.map(({ result: what }) => what)).toEqual(['unanswered', 'answered'])
    expect(result.answers.size).toBe(2)
  })

  test('leaves a question unanswered that the first did not answer while it answered others', async () => {
    const first = createFakeDecider('systemone', {
      answer: (id) => (id === 'm0' ? 0.1 : undefined),
    })
    const second = createFakeDecider('rerank', { answer: () => 0.9 })
    const result = await createDecideChain([first, second]).decide(ask(2))
    expect([...result.answers.keys()]).toEqual(['m0'])
    expect(second.requests).toHaveLength(0)
  })

  test('never replaces an answer that came, and passes on only what is open', async () => {
    const first = createFakeDecider('systemone', {
      answer: (id) => (id === 'm1' ? 0.15 : undefined),
      failure: 'timeout',
    })
    const second = createFakeDecider('embedded', { answer: () => 0.02, traits: LOCAL_TRAITS })
    const result = await createDecideChain([first, second]).decide(ask(3))
    expect(probabilities(result.answers)).toEqual([
      ['m0', 0.02],
      ['m1', 0.15],
      ['m2', 0.02],
    ])
    expect(second.requests[0]?.questions.map(({ id }) => id)).toEqual(['m0', 'm2'])
    // Answers of two models are trusted as far as those of the more careful one.
    expect(result).toMatchObject({
      wire: 'embedded',
      traits: { order: 'least-needed-first', riskBudget: 0.05 },
      links: [
        { wire: 'systemone', result: 'timeout', answered: 1 },
        { wire: 'embedded', result: 'answered', answered: 2 },
      ],
    })
  })

  test('names the first failure when all fail', async () => {
    const chain = createDecideChain([
      createFakeDecider('systemone', { failure: 'network' }),
      createFakeDecider('vercel', { failure: 'rate-limit' }),
    ])
    expect(await chain.decide(ask(1))).toMatchObject({
      failure: 'network',
      wire: 'systemone',
      links: [{ result: 'network' }, { result: 'rate-limit' }],
    })
  })

  test('keeps the failure where there was no other model for the site', async () => {
    const gate = createFakeDecider('systemone', { failure: 'network' })
    const local = createFakeDecider('embedded', { answer: () => 0.9, traits: LOCAL_TRAITS })
    const result = await createDecideChain([gate, local]).decide(gateRequest())
    expect(result).toMatchObject({ failure: 'network', wire: 'systemone' })
    expect(local.requests).toHaveLength(0)
  })

  test('asks each model for what it answers: a reranker judges, another gates', async () => {
    const reranker = createFakeDecider('rerank', {
      answer: () => 0.5,
      traits: { sites: new Set(['relevance']) },
    })
    const gate = createFakeDecider('systemone', { answer: () => 0.9 })
    const chain = createDecideChain([reranker, gate])
    expect(chain.traits.sites).toEqual(new Set(['relevance', 'summary-gate', 'context-scope']))
    expect(await chain.decide(gateRequest())).toMatchObject({
      wire: 'systemone',
      links: [{ wire: 'systemone', result: 'answered', answered: 2 }],
    })
    expect(reranker.requests).toHaveLength(0)
  })

  test('takes a model that throws for one that failed', async () => {
    const broken = createFakeDecider('systemone', {
      before: () => {
        throw new Error('the launch code')
      },
    })
    const second = createFakeDecider('rerank', { answer: () => 0.9 })
    const result = await createDecideChain([broken, second]).decide(ask(1))
    expect(result.links?.[0]).toEqual({ wire: 'systemone', result: 'error', answered: 0 })
    expect(JSON.stringify(result)).not.toContain('launch')
  })

  test('asks nobody else once the caller has gone', async () => {
    const controller = new AbortController()
    const first = createFakeDecider('systemone', {
      failure: 'aborted',
      before: () => controller.abort(),
    })
    const second = createFakeDecider('rerank', { answer: () => 0.9 })
    const result = await createDecideChain([first, second]).decide(
      ask(1, { signal: controller.signal }),
    )
    expect(result.failure).toBe('aborted')
    expect(second.requests).toHaveLength(0)
  })

  test('asks nobody else once the deadline has passed', async () => {
    let time = 0
    const first = createFakeDecider('systemone', {
      failure: 'timeout',
      before: () => {
        time = 1_000
      },
    })
    const second = createFakeDecider('rerank', { answer: () => 0.9 })
    const result = await createDecideChain([first, second], () => time).decide(
      ask(1, { deadlineAt: 1_000 }),
    )
    expect(result).toMatchObject({ failure: 'timeout', latencyMs: 1_000 })
    expect(second.requests).toHaveLength(0)
  })

  test('gives each model its share of the time, and the last one the rest', async () => {
    let time = 0
    const wait = (ms: number) => () => {
      time += ms
    }
    const first = createFakeDecider('systemone', { failure: 'timeout', before: wait(1_000) })
    const second = createFakeDecider('vercel', { failure: 'timeout', before: wait(100) })
    const local = createFakeDecider('embedded', { answer: () => 0.9, traits: LOCAL_TRAITS })
    await createDecideChain([first, second, local], () => time).decide(
      ask(1, { deadlineAt: 4_000 }),
    )
    expect(first.requests[0]?.deadlineAt).toBe(1_800)
    expect(second.requests[0]?.deadlineAt).toBe(3_700)
    expect(local.requests[0]?.deadlineAt).toBe(4_000)
  })

  test('counts what was left out by the last model that was asked for it', async () => {
    const first = createFakeDecider('systemone', { failure: 'server', notAsked: 3 })
    const second = createFakeDecider('rerank', { answer: () => 0.9, notAsked: 1 })
    expect((await createDecideChain([first, second]).decide(ask(4))).notAsked).toBe(1)
    const alone = createFakeDecider('systemone', { answer: () => 0.9, notAsked: 3 })
    expect((await createDecideChain([alone, second]).decide(ask(4))).notAsked).toBe(3)
  })
})
