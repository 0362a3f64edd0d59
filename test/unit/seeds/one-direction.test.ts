import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { budgetConversation } from '../../../src/conversation/budget-conversation.ts'
import {
  CONTEXT_SCOPES,
  DEFAULT_COMPACTION_THRESHOLD,
  resolveBudget,
  resolveThreshold,
  scopeToThreshold,
  scoreToScope,
} from '../../../src/engine/budget.ts'
import { buildTestApp, type TestApp } from '../../helpers/build-app.ts'
import { expectProblem } from '../../helpers/expect-problem.ts'
import { fakeDecide } from '../../helpers/fake-ports.ts'
import { chat, conversation, modelSignal, servicesWith } from './support.ts'

/** Runs with a rubric into which a bug has put a threshold above the default. */
function withRaisedRubric<Result>(run: () => Result): Result {
  const level = CONTEXT_SCOPES[0] as { threshold: number }
  const { threshold } = level
  level.threshold = 0.97
  try {
    return run()
  } finally {
    level.threshold = threshold
  }
}

describe('seed 1: the first layer, from scope to threshold', () => {
  it('maps every scope to more than nothing and at most the default, rising with the scope', () => {
    const thresholds = CONTEXT_SCOPES.map(({ scope }) => scopeToThreshold(scope))
    expect(thresholds).toEqual([0.45, 0.6, 0.75, 0.8])
    expect(Math.max(...thresholds)).toBe(DEFAULT_COMPACTION_THRESHOLD)
  })

  it('clamps a rubric that is wrong', () => {
    withRaisedRubric(() => {
      expect(CONTEXT_SCOPES[0].threshold).toBe(0.97)
      expect(scopeToThreshold('current-message')).toBe(0.8)
    })
  })

  it.each([-5, -0.4, 0.5, 1.5, 2.49, 99, Number.NaN])(
    'stays in the band at a score of %d',
    (score) => {
      const threshold = scopeToThreshold(scoreToScope(score))
      expect(threshold).toBeGreaterThan(0)
      expect(threshold).toBeLessThanOrEqual(0.8)
    },
  )

  it('does not shrink the budget for a score that is no number', () => {
    expect(scopeToThreshold(scoreToScope(Number.NaN))).toBe(0.8)
  })
})

describe('seed 1: the second layer, where the threshold is decided', () => {
  it.each([0.8000001, 0.95, 1, 5, Number.POSITIVE_INFINITY])(
    'lowers a requested %d to the default',
    (requested) => {
      expect(resolveThreshold(requested, undefined)).toEqual({ value: 0.8, source: 'default' })
    },
  )

  it('discards a scope that does not lower the default', () => {
    const everything = { scope: 'everything', confidence: 1 } as const
    expect(resolveThreshold(undefined, everything)).toEqual({ value: 0.8, source: 'default' })
    withRaisedRubric(() => {
      const raised = { scope: 'current-message', confidence: 1 } as const
      expect(resolveThreshold(undefined, raised)).toEqual({ value: 0.8, source: 'default' })
    })
  })
})

describe('seed 1: the arithmetic behind both layers', () => {
  it('makes no budget larger than the default one, whatever threshold reaches it', () => {
    const input = {
      contextWindow: { value: 100_000, source: 'request' },
      maxOutputTokens: { value: 10_000, source: 'request' },
      instructions: 500,
      currentRequest: 100,
      tools: 2_000,
      files: { value: 0, source: 'counted' },
      history: 50_000,
    } as const
    const byDefault = resolveBudget({ ...input, threshold: { value: 0.8, source: 'default' } })
    for (const value of [0.81, 0.95, 1, 40]) {
      const raised = resolveBudget({ ...input, threshold: { value, source: 'request' } })
      expect(raised.historyBudget).toEqual(byDefault.historyBudget)
      expect(raised.target).toEqual(byDefault.target)
      expect(raised.trigger).toEqual(byDefault.trigger)
    }
  })
})

describe('seed 1: the one-directional invariant through the whole', () => {
  it('holds for every level and confidence of an answer', async () => {
    const messages = conversation(...chat(8))
    const request = { format: 'neurolink', messages } as const
    const { historyBudget } = await budgetConversation(request, servicesWith(), modelSignal)
    for (const score of [0, 0.5, 1, 2, 2.9, 3, 17, -2]) {
      for (const confidence of [0, 0.5, 1]) {
        const decide = fakeDecide({
          'context-scope': { scope: { kind: 'score', score, confidence } },
        })
        const scoped = await budgetConversation(request, servicesWith({ decide }), modelSignal)
        expect(scoped.compactionThreshold.value).toBeLessThanOrEqual(0.8)
        expect(scoped.historyBudget.value).toBeLessThanOrEqual(historyBudget.value)
      }
    }
  })

  let test: TestApp
  beforeAll(async () => {
    test = await buildTestApp()
  })
  afterAll(() => test.app.close())

  const post = (url: string, payload: object) => test.app.inject({ method: 'POST', url, payload })

  it('lets a caller ask for more than the default, and says that the default is used', async () => {
    const messages = conversation(...chat(8))
    const { body } = await post('/budget', { messages, compactionThreshold: 0.95 })
    const { compactionThreshold, warnings } = JSON.parse(body)
    expect(compactionThreshold).toEqual({ value: 0.8, source: 'default' })
    expect(warnings).toContainEqual(expect.objectContaining({ code: 'threshold-lowered' }))
  })

  it.each([0, -0.1, 1.0001, 5, 80])('refuses a threshold of %d', async (compactionThreshold) => {
    for (const url of ['/budget', '/compact']) {
      const response = await post(url, { messages: conversation(...chat(2)), compactionThreshold })
      const problem = expectProblem(response, 'invalid-request')
      expect(problem.errors).toMatchObject([{ pointer: '/compactionThreshold' }])
    }
  })
})
