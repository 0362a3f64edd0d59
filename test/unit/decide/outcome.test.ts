import { describe, expect, test } from 'vitest'
import { combine, failed, type Outcome, toResult } from '../../../src/decide/outcome.ts'
import type { Question } from '../../../src/engine/ports.ts'

const answered = (id: string, more: Partial<Outcome> = {}): Outcome => ({
  answers: new Map([[id, { kind: 'boolean', probability: 0.5 }]]),
  requests: 1,
  notAsked: 0,
  ...more,
})
const questions: Question[] = ['a', 'b', 'c'].map((id) => ({
  id,
  kind: 'boolean',
  instructions: 'Needed?',
}))
const meta = { wire: 'systemone', model: 'jev-latest', questions, latencyMs: 12 }

describe('the outcome of several requests', () => {
  test('keeps the answers that came beside a failure', () => {
    const whole = combine([answered('a'), failed('network', 2), answered('c')])
    expect([...whole.answers.keys()]).toEqual(['a', 'c'])
    expect(whole).toMatchObject({ requests: 4, failure: 'network' })
  })

  test('names the failure of the earliest request', () => {
    expect(combine([failed('timeout'), failed('network')]).failure).toBe('timeout')
  })

  test('has no failure when there was none', () => {
    expect(combine([answered('a'), answered('b')])).not.toHaveProperty('failure')
  })

  test('adds up what was not asked', () => {
    expect(combine([answered('a', { notAsked: 2 }), answered('b', { notAsked: 1 })]).notAsked).toBe(
      3,
    )
  })
})

describe('the result', () => {
  test('has its answers in the order of the questions', () => {
    const outcome = combine([answered('c'), answered('a')])
    expect([...toResult(outcome, meta).answers.keys()]).toEqual(['a', 'c'])
  })

  test('has no answer to a question that was not asked', () => {
    expect(toResult(answered('unasked'), meta).answers.size).toBe(0)
  })

  test('names the model that answered, or the one that was configured', () => {
    expect(toResult(answered('a', { model: 'jev-1.14.0' }), meta).model).toBe('jev-1.14.0')
    expect(toResult(failed('timeout'), meta).model).toBe('jev-latest')
  })
})
