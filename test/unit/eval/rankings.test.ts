import { describe, expect, test } from 'vitest'
import { judgeByBm25, scoreByBm25 } from '../../../eval/lib/bm25.ts'
import type { LabelledCase } from '../../../eval/lib/labelled-case.ts'
import { judgeByFirstAndPosition, judgeByPosition } from '../../../eval/lib/position.ts'

function caseOf(texts: readonly string[], request: string, speaker?: string): LabelledCase {
  const turns = texts.map((text) => ({
    role: 'user' as const,
    text,
    needed: false,
    ...(speaker !== undefined && { speaker }),
  }))
  return { conversation: 'one', request, turns }
}

const RECENT = ['a', 'b', 'c', 'd', 'e', 'f']

describe('scoreByBm25', () => {
  test('gives what the formula gives', () => {
    // N 2, one document with the term: ln(1 + 1.5 / 1.5). It stands twice in 4 of 3 words on average.
    const [score, none] = scoreByBm25(
      [
        ['cat', 'cat', 'dog', 'owl'],
        ['dog', 'fox'],
      ],
      ['cat'],
    )
    const norm = 1.2 * (1 - 0.75 + (0.75 * 4) / 3)
    expect(score).toBeCloseTo((Math.log(2) * 2 * 2.2) / (2 + norm))
    expect(none).toBe(0)
  })

  test('counts a word of the query once', () => {
    const documents = [['cat'], ['dog']]
    expect(scoreByBm25(documents, ['cat', 'cat'])).toEqual(scoreByBm25(documents, ['cat']))
  })

  test('gives a rare word more than a common one', () => {
    const [rare, common] = scoreByBm25([['cat'], ['dog'], ['dog'], ['dog']], ['cat', 'dog'])
    expect(rare).toBeGreaterThan(common ?? 0)
  })
})

describe('judgeByBm25', () => {
  test('scores all turns but the recent window, whatever the case and the ending of a word', () => {
    const { scores } = judgeByBm25(caseOf(['Our CAMPS', 'the sea', ...RECENT], 'camping?'))
    expect(scores).toHaveLength(2)
    expect(scores[0]).toBeGreaterThan(0)
    expect(scores[1]).toBe(0)
  })

  test('reads the name of the speaker with the text', () => {
    const { scores } = judgeByBm25(caseOf(['hello', ...RECENT], 'What did Ada say?', 'Ada'))
    expect(scores[0]).toBeGreaterThan(0)
  })
})

describe('judgeByPosition', () => {
  test('ranks the newest highest', () => {
    expect(judgeByPosition(caseOf(['x', 'y', 'z', ...RECENT], '')).scores).toEqual([0, 1, 2])
  })

  test('has nothing to rank where the recent window is all there is', () => {
    expect(judgeByPosition(caseOf(['a', 'b'], '')).scores).toEqual([])
  })
})

describe('judgeByFirstAndPosition', () => {
  test('ranks the first above all', () => {
    expect(judgeByFirstAndPosition(caseOf(['x', 'y', 'z', ...RECENT], '')).scores).toEqual([
      3, 1, 2,
    ])
  })
})
