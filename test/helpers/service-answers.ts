import type { Static } from 'typebox'
import { expect } from 'vitest'
import type { BudgetResponseSchema } from '../../src/contract/budget.ts'
import type { CompactResponseSchema } from '../../src/contract/compact.ts'
import type { SummaryCheckResponseSchema } from '../../src/contract/summary-check.ts'
import type { SampleConversation } from './sample-conversation.ts'
import { newFaults } from './wire-rules/index.ts'

/** Of a conversation that was posted under `messages`. */
export type CompactAnswer = Static<typeof CompactResponseSchema> & {
  readonly messages: readonly unknown[]
}
export type BudgetAnswer = Static<typeof BudgetResponseSchema>
export type SummaryCheckAnswer = Static<typeof SummaryCheckResponseSchema>

/** Expects what every answer promises, whatever failed on the way: valid, within target, accounted for. */
export function expectFitting(request: SampleConversation['request'], answer: CompactAnswer): void {
  const { messages } = answer
  expect(newFaults(request.format, request, { ...request, messages })).toEqual([])
  expect(answer).toMatchObject({ outcome: 'compacted', compacted: true, fits: true, warnings: [] })
  expect(answer.tokensAfter).toBeLessThanOrEqual(answer.budget.targetTokens.value)
  const saved = answer.actions.reduce(
    (sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter,
    0,
  )
  expect(saved).toBe(answer.tokensBefore - answer.tokensAfter)
  expect(messages.at(-1)).toEqual(request.messages.at(-1))
}

/** Expects that relevance has taken nothing and that the stages without a model did the work. */
export function expectPositional(answer: CompactAnswer): void {
  expect(answer.stagesUsed).toEqual(['truncate'])
  expect(answer.actions.filter(({ stage }) => stage === 'relevance')).toEqual([])
  expect(stageOf(answer, 'relevance')).toMatchObject({ dropped: 0, rewritten: 0 })
}

export function stageOf(answer: CompactAnswer, name: string) {
  return answer.stages.find(({ stage }) => stage === name)
}

/**
 * Expects the reason of a fail-open, and returns it. A second attempt at a silent server is ended by
 * its own timeout or by the deadline of the whole call, which are due at the same time.
 */
export function expectReason(actual: unknown, expected: string): string {
  expect(expected === 'timeout' ? ['timeout', 'deadline'] : [expected]).toContain(actual)
  return String(actual)
}
