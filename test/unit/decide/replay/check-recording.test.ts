import { describe, expect, it } from 'vitest'
import { checkRecording } from '../../../../src/decide/replay/check-recording.ts'
import type { RecordedAnswer, Recording } from '../../../../src/decide/replay/recording.ts'
import { type Fault, PrecisError } from '../../../../src/engine/errors.ts'

function withAnswers(...answers: RecordedAnswer[]): Recording {
  return {
    decide: {
      model: {
        wire: 'systemone',
        model: 'jev',
        order: 'oldest-first',
        riskBudget: null,
        maxQuestions: 300,
        sites: ['relevance'],
      },
      calls: [
        {
          site: 'relevance',
          key: 'k'.repeat(43),
          answers,
          wire: 'systemone',
          model: 'jev',
          latencyMs: 1,
          requests: 1,
          notAsked: 0,
        },
      ],
    },
    summarize: null,
  }
}

function faultsOf(recording: Recording): readonly Fault[] {
  try {
    checkRecording(recording, '/replay')
    return []
  } catch (error) {
    if (!(error instanceof PrecisError)) throw error
    expect(error.code).toBe('invalid-request')
    return error.faults
  }
}

describe('checkRecording', () => {
  it('takes a probability, a score and a choice', () => {
    const answers = [
      { id: 'msg__1', probability: 0 },
      { id: 'scope', score: 2, confidence: 0.4 },
      { id: 'kind', choice: 'a', confidence: 1 },
    ]
    expect(faultsOf(withAnswers(...answers))).toEqual([])
  })

  it('points at a question that is answered twice in one call', () => {
    const twice = withAnswers({ id: 'a', probability: 0.1 }, { id: 'a', probability: 0.9 })
    expect(faultsOf(twice)).toEqual([
      {
        pointer: '/replay/decide/calls/0/answers/1/id',
        rule: 'unique-answer',
        detail: 'must be answered once in its call',
      },
    ])
  })

  it.each([
    ['nothing', {}],
    ['a confidence without what it is about', { confidence: 0.5 }],
    ['a score without a confidence', { score: 1 }],
    ['a probability with a confidence', { probability: 0.1, confidence: 0.8 }],
    ['two answers in one', { score: 1, choice: 'a', confidence: 0.8 }],
  ])('points at an answer that says %s', (_what, members) => {
    const faults = faultsOf(withAnswers({ id: 'a', ...members }))
    expect(faults.map(({ pointer, rule }) => [pointer, rule])).toEqual([
      ['/replay/decide/calls/0/answers/0', 'one-answer'],
    ])
  })

  it('points at a summary that is neither a text nor a failure, or both', () => {
    const call = { key: 'k'.repeat(43), latencyMs: 1 }
    const summarize = {
      model: 'writer',
      maxInputTokens: 1_000,
      calls: [call, { ...call, text: 'x', failure: 'error' as const }, { ...call, text: 'x' }],
    }
    expect(faultsOf({ decide: null, summarize }).map(({ pointer }) => pointer)).toEqual([
      '/replay/summarize/calls/0',
      '/replay/summarize/calls/1',
    ])
  })

  it('lists no more faults than a reader takes in', () => {
    const answers = Array.from({ length: 500 }, () => ({ id: 'a' }))
    const { length } = faultsOf(withAnswers(...answers))
    expect(length).toBeGreaterThan(10)
    expect(length).toBeLessThanOrEqual(22)
  })
})
