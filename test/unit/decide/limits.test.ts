import { describe, expect, test } from 'vitest'
import {
  measureRequest,
  overrideLimits,
  scaleLimits,
  withSize,
} from '../../../src/decide/limits.ts'
import { systemOneWire } from '../../../src/decide/wires/systemone.ts'
import type { PackedRequest } from '../../../src/decide/wires/wire.ts'

const countTokens = (text: string) => text.length
const { rendering } = systemOneWire
const limits = {
  ...systemOneWire.limits,
  maxStateAndLongestQuestionTokens: 1_000,
  maxTotalTokens: 2_000,
}
const packed = (...instructions: string[]): PackedRequest => ({
  questions: instructions.map((text, index) => ({
    id: `q${index}`,
    kind: 'boolean',
    instructions: text,
  })),
  state: {
    fields: [],
    recent: [],
    documents: [{ id: 'm0', role: 'user', text: 'x'.repeat(100) }],
  },
})

describe('limits', () => {
  test('are scaled in tokens and not in questions', () => {
    expect(scaleLimits(limits, 0.9)).toEqual({
      ...limits,
      maxStateAndLongestQuestionTokens: 900,
      maxTotalTokens: 1_800,
    })
  })

  test('are replaced only by what a deployment sets', () => {
    expect(
      overrideLimits(limits, { maxQuestionsPerRequest: 128, maxTotalTokens: undefined }),
    ).toEqual({ ...limits, maxQuestionsPerRequest: 128 })
  })

  test('bound a prompt of its own by what its request may hold', () => {
    const size = { stateAndLongestQuestion: 500.5, total: 700.5, questions: 10.5 }
    expect(withSize(limits, size)).not.toHaveProperty('maxPromptTokens')
    expect(withSize({ ...limits, maxPromptTokens: 800 }, size)).toMatchObject({
      maxStateAndLongestQuestionTokens: 500,
      maxTotalTokens: 700,
      maxQuestionsPerRequest: 10,
      maxPromptTokens: 500,
    })
  })
})

describe('the size of a request', () => {
  test('is its state with the longest question, and with all of them', () => {
    const request = packed('Needed?', 'Is it needed at all?')
    const [short = 0, long = 0] = request.questions.map(
      (question) => rendering.questionText(question).length + limits.questionOverheadTokens,
    )
    const state = rendering.stateText(request.state).length + limits.requestOverheadTokens
    expect(long).toBeGreaterThan(short)
    expect(measureRequest(request, { rendering, limits, countTokens })).toEqual({
      stateAndLongestQuestion: state + long,
      total: state + long + short,
      questions: 2,
    })
  })
})
