import { describe, expect, test } from 'vitest'
import { judgeCase } from '../../../eval/lib/judge-case.ts'
import type { LabelledCase } from '../../../eval/lib/labelled-case.ts'
import { fakeDecide, toAnswers } from '../../helpers/fake-ports.ts'

const labelled: LabelledCase = {
  conversation: 'one',
  request: 'Where does Ben live?',
  turns: Array.from({ length: 9 }, (_, index) => ({
    role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
    text: `turn ${index}`,
    speaker: 'Ben',
    needed: index === 1,
  })),
}

describe('judgeCase', () => {
  test('asks about all turns but the recent window, which it shows', async () => {
    const decide = fakeDecide({ relevance: { msg__0: 0.1, msg__2: 0.9 } })
    const { scores } = await judgeCase(decide, labelled)
    expect(scores).toEqual([0.1, undefined, 0.9])
    const [request] = decide.requests
    expect(request?.questions.map((question) => 'about' in question && question.about)).toEqual([
      'msg__0',
      'msg__1',
      'msg__2',
    ])
    expect(request?.state.fields.current_request).toBe('Where does Ben live?')
    expect(request?.state.documents[1]).toEqual({
      id: 'msg__1',
      role: 'assistant',
      speaker: 'Ben',
      text: 'turn 1',
    })
    expect(request?.state.recent.map(({ text }) => text)).toEqual(
      [3, 4, 5, 6, 7, 8].map((index) => `turn ${index}`),
    )
  })

  test('shows the model nothing of what is needed', async () => {
    const decide = fakeDecide({ relevance: {} })
    await judgeCase(decide, labelled)
    expect(JSON.stringify(decide.requests)).not.toContain('"needed"')
  })

  test('refuses the answers of a model that failed', async () => {
    const decide = fakeDecide({
      relevance: () => ({ answers: toAnswers({ msg__0: 0.1 }), failure: 'timeout' }),
    })
    await expect(judgeCase(decide, labelled)).rejects.toThrow('timeout')
  })
})
