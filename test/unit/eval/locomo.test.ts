import { describe, expect, test } from 'vitest'
import { locomoCases } from '../../../eval/lib/locomo.ts'

const turn = (speaker: string, dia_id: string, text: string) => ({ speaker, dia_id, text })

describe('locomoCases', () => {
  const conversation = {
    conversation: {
      session_1: [turn('Ada', 'D1:1', 'Hello.'), turn('Ben', 'D1:2', 'I moved to Oslo.')],
      session_1_date_time: 'in May',
      session_2: [turn('Ben', 'D2:1', 'I have a cat.')],
    },
    qa: [
      { question: 'Where does Ben live?', evidence: ['D1:2'] },
      { question: 'What of Ben?', evidence: ['D1:2; D2:1'] },
      { question: 'Who knows?', evidence: ['D9:9'] },
      { question: 'And this?' },
    ],
  }

  test('marks the turns that a question rests on, across sessions', () => {
    const cases = locomoCases([conversation])
    expect(cases.map(({ request }) => request)).toEqual(['Where does Ben live?', 'What of Ben?'])
    expect(cases.map(({ turns }) => turns.map(({ needed }) => needed))).toEqual([
      [false, true, false],
      [false, true, true],
    ])
  })

  test('keeps the order, the speakers and who is the user', () => {
    const [first] = locomoCases([conversation])
    expect(first?.turns).toMatchObject([
      { role: 'user', speaker: 'Ada', text: 'Hello.' },
      { role: 'assistant', speaker: 'Ben', text: 'I moved to Oslo.' },
      { role: 'assistant', speaker: 'Ben', text: 'I have a cat.' },
    ])
  })

  test('tells questions on one conversation from those on another', () => {
    const names = locomoCases([conversation, conversation]).map((one) => one.conversation)
    expect(names).toEqual(['locomo-1', 'locomo-1', 'locomo-2', 'locomo-2'])
  })
})
