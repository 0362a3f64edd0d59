import { afterEach, describe, expect, it } from 'vitest'
import {
  type BudgetResult,
  budgetConversation,
} from '../../../src/conversation/budget-conversation.ts'
import type { BudgetRequest } from '../../../src/conversation/request.ts'
import { CONTEXT_SCOPES, MIN_SCOPE_CONFIDENCE } from '../../../src/engine/budget.ts'
import type { Answer } from '../../../src/engine/ports.ts'
import { buildTestApp } from '../../helpers/build-app.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
} from '../../helpers/decide-servers/system-one-server.ts'
import { type DecideScript, fakeDecide } from '../../helpers/fake-ports.ts'
import { chat, conversation, modelSignal, servicesWith, user } from './support.ts'

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const REQUEST = 'Summarize this one file.'
const MESSAGES = conversation(...chat(6), user(REQUEST))

const score = (value: number, confidence: number): { scope: Answer } => ({
  scope: { kind: 'score', score: value, confidence },
})

async function run(script: DecideScript, request: BudgetRequest = {}) {
  const decide = fakeDecide({ 'context-scope': script })
  const result = await budgetConversation(
    { format: 'neurolink', messages: MESSAGES, ...request },
    servicesWith({ decide }),
    modelSignal,
  )
  return { decide, result }
}

const thresholdOf = ({ result }: { readonly result: BudgetResult }) => result.compactionThreshold

describe('seed 1: the scope question', () => {
  it('asks for a place on the four-level rubric, low to high, and for no number of tokens', async () => {
    const { decide } = await run(score(1, 1))
    const [question] = decide.requests[0]?.questions ?? []
    expect(question).toMatchObject({
      kind: 'score',
      instructions: expect.stringMatching(/^How much of the earlier conversation/),
      levels: [
        { label: 'current-message' },
        { label: 'recent-turns' },
        { label: 'full-conversation' },
        { label: 'everything' },
      ],
    })
    expect(JSON.stringify(question)).not.toMatch(/token/i)
  })

  it('is put with the current request, given or the last user message', async () => {
    const posted = await run(score(1, 1))
    expect(posted.decide.requests[0]?.state.fields.current_request).toBe(REQUEST)
    const given = await run(score(1, 1), { currentRequest: 'And now?' })
    expect(given.decide.requests[0]?.state.fields.current_request).toBe('And now?')
  })

  it.each([
    [0, 'current-message', 0.45],
    [1, 'recent-turns', 0.6],
    [2, 'full-conversation', 0.75],
  ] as const)('at level %i says %s and sets the threshold to %d', async (level, scope, value) => {
    const { result } = await run(score(level, 1))
    expect(result.scope).toMatchObject({ scope, threshold: value, used: true })
    expect(result.compactionThreshold).toEqual({ value, source: 'scope' })
  })

  it('at the level of everything leaves the default as it is', async () => {
    const { result } = await run(score(3, 1))
    expect(result.scope).toMatchObject({ scope: 'everything', threshold: 0.8, used: false })
    expect(result.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
  })

  it.each([
    [0.4, 'current-message'],
    [0.5, 'recent-turns'],
    [1.49, 'recent-turns'],
    [2.5, 'everything'],
  ])(
    'takes the nearest level to a weighted score (%d), the larger budget in a tie',
    async (value, scope) => {
      expect((await run(score(value, 1))).result.scope?.scope).toBe(scope)
    },
  )
})

describe('seed 1: the confidence of a scope', () => {
  it('needs 0.5', () => {
    expect(MIN_SCOPE_CONFIDENCE).toBe(0.5)
  })

  it.each([0.5, 0.51, 1])('of %d is enough', async (confidence) => {
    expect(thresholdOf(await run(score(0, confidence)))).toEqual({ value: 0.45, source: 'scope' })
  })

  it.each([0, 0.2, 0.499])('of %d is as if nobody had been asked', async (confidence) => {
    const { result } = await run(score(0, confidence))
    expect(result.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
    expect(result.scope?.used).toBe(false)
  })

  it.each<[string, DecideScript]>([
    ['an unanswered question', {}],
    ['a failed call', () => ({ failure: 'overloaded' })],
    ['a call that throws', () => Promise.reject(new Error('down'))],
    ['an answer of another kind', { scope: 0.9 }],
    ['a score that is no number', score(Number.NaN, 1)],
    ['a confidence that is no number', score(0, Number.NaN)],
    ['a confidence over 1', score(0, 3)],
  ])('is nothing for %s: the default holds', async (_, script) => {
    const { result } = await run(script)
    expect(result.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
    expect(result.scope).toMatchObject({ scope: null, used: false, failOpen: expect.any(String) })
  })
})

describe('seed 1: an explicit threshold', () => {
  it.each([
    [0.7, 0],
    [0.3, 2],
    [0.8, 0],
  ])('of %d wins over a scope of level %i, which is not even asked for', async (value, level) => {
    const { decide, result } = await run(score(level, 1), { compactionThreshold: value })
    expect(result.compactionThreshold).toEqual({ value, source: 'request' })
    expect(result.scope).toBeNull()
    expect(decide.requests).toEqual([])
  })
})

describe('seed 1: a scope judgement stands by itself', () => {
  it('holds for a model that can judge nothing else', async () => {
    const { decide, result } = await run(score(1, 0.9))
    expect([...decide.traits.sites]).toEqual(['context-scope'])
    expect(thresholdOf({ result })).toEqual({ value: 0.6, source: 'scope' })
  })

  it('is not sought of a model that does not answer it', async () => {
    const decide = fakeDecide({ relevance: {} })
    const result = await budgetConversation(
      { format: 'neurolink', messages: MESSAGES },
      servicesWith({ decide }),
      modelSignal,
    )
    expect(result.scope).toBeNull()
    expect(result.compactionThreshold).toEqual({ value: 0.8, source: 'default' })
  })

  it('holds for one request: the next is judged anew', async () => {
    const answers = [score(0, 1), {}, score(2, 1)]
    const decide = fakeDecide({
      'context-scope': () => ({ answers: new Map(Object.entries(answers.shift() ?? {})) }),
    })
    const services = servicesWith({ decide })
    const thresholds = []
    for (const _ of [1, 2, 3]) {
      const request = { format: 'neurolink', messages: MESSAGES } as const
      const result = await budgetConversation(request, services, modelSignal)
      thresholds.push(result.compactionThreshold.value)
    }
    expect(thresholds).toEqual([0.45, 0.8, 0.75])
  })
})

describe('seed 1: the service', () => {
  it('fills in the threshold from a decision server when the caller left it unset', async () => {
    const server = await createSystemOneServer({ answer: () => [0.02, 0.96, 0.02, 0] })
    closers.push(server.close)
    const { app } = await buildTestApp({
      environment: {
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_URL: server.url,
        PRECIS_DECIDE_API_KEY: SYSTEM_ONE_KEY,
      },
    })
    closers.push(() => app.close())
    const post = (payload: object) => app.inject({ method: 'POST', url: '/budget', payload })
    const asked = (await post({ messages: MESSAGES })).json()
    expect(asked.compactionThreshold).toEqual({ value: 0.6, source: 'scope' })
    expect(asked.scopes).toEqual(CONTEXT_SCOPES)
    const explicit = (await post({ messages: MESSAGES, compactionThreshold: 0.7 })).json()
    expect(explicit.compactionThreshold).toEqual({ value: 0.7, source: 'request' })
    expect(server.requests).toHaveLength(1)
  })
})
