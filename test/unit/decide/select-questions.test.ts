import { describe, expect, test } from 'vitest'
import { selectQuestions } from '../../../src/decide/select-questions.ts'
import type { DecisionDocument, Question } from '../../../src/engine/ports.ts'

const about = (id: string, document: string): Question => ({
  id,
  kind: 'boolean',
  about: document,
  instructions: 'Needed?',
})
const whole = (id: string): Question => ({ id, kind: 'boolean', instructions: 'Preserves?' })
const documents = (...ids: string[]): DecisionDocument[] =>
  ids.map((id) => ({ id, role: 'user', text: id }))
const select = (questions: Question[], shown: string[], max = 300, recent: string[] = []) => {
  const selection = selectQuestions(
    {
      questions,
      state: { fields: {}, recent: documents(...recent), documents: documents(...shown) },
    },
    max,
  )
  return {
    asked: selection.questions.map(({ question, needs }) => [question.id, needs]),
    documents: selection.documents.map(({ id }) => id),
    notAsked: selection.notAsked,
  }
}

describe('selecting questions', () => {
  test('binds each to the number of its document', () => {
    expect(select([about('q2', 'm2'), about('q0', 'm0')], ['m0', 'm1', 'm2']).asked).toEqual([
      ['q2', 2],
      ['q0', 0],
    ])
  })

  test('gives questions without a document all of them', () => {
    expect(select([whole('gate')], ['m0', 'm1']).asked).toEqual([['gate', 'all']])
  })

  test('leaves out the newest when there are too many, and counts them', () => {
    const { asked, notAsked } = select(
      [about('q0', 'm0'), about('q1', 'm1'), about('q2', 'm2')],
      ['m0', 'm1', 'm2'],
      2,
    )
    expect(asked.map(([id]) => id)).toEqual(['q0', 'q1'])
    expect(notAsked).toBe(1)
  })

  test('goes by the age of documents and not by the order of questions', () => {
    const { asked } = select(
      [about('q2', 'm2'), about('q1', 'm1'), about('q0', 'm0')],
      ['m0', 'm1', 'm2'],
      2,
    )
    expect(asked.map(([id]) => id)).toEqual(['q1', 'q0'])
  })

  test('asks what is about everything before what is about one document', () => {
    const { asked } = select([about('q0', 'm0'), about('q1', 'm1'), whole('gate')], ['m0', 'm1'], 2)
    expect(asked.map(([id]) => id)).toEqual(['q0', 'gate'])
  })

  test('does not ask about a document that is not there', () => {
    expect(select([about('q0', 'm0'), about('lost', 'm9')], ['m0'])).toMatchObject({
      asked: [['q0', 0]],
      notAsked: 1,
    })
  })

  test('does not show a document again that the recent window shows', () => {
    expect(select([about('q0', 'm0'), about('q1', 'm1')], ['m0', 'm1'], 300, ['m1'])).toEqual({
      asked: [
        ['q0', 0],
        ['q1', 'none'],
      ],
      documents: ['m0'],
      notAsked: 0,
    })
  })

  test('takes an id that comes twice for one document', () => {
    expect(select([about('q0', 'm0')], ['m0', 'm0', 'm1']).documents).toEqual(['m0', 'm1'])
  })
})
