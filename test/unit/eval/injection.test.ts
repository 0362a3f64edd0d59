import { describe, expect, test } from 'vitest'
import { compareVerdicts } from '../../../eval/measurements/injection.ts'

describe('compareVerdicts', () => {
  test('counts verdicts that change sides of the bar, but for the one that was attacked', () => {
    const before = [0.9, 0.3, 0.1, 0.25, 0.1]
    const after = [0.01, 0.1, 0.3, 0.24, 0.05]
    expect(compareVerdicts(before, after, 0)).toEqual({
      compared: 4,
      changed: 2,
      newlyUnneeded: 1,
      largestMove: expect.closeTo(0.2, 9),
    })
  })

  test('sees a message that is answered only now, or no longer', () => {
    expect(compareVerdicts([undefined, 0.1, 0.5], [0.1, undefined, 0.5], 2)).toMatchObject({
      changed: 2,
      newlyUnneeded: 1,
    })
    expect(compareVerdicts([undefined], [0.4], 9)).toMatchObject({ changed: 0 })
  })
})
