import { describe, expect, test } from 'vitest'
import {
  choiceConfidence,
  readConfidence,
  scoreConfidence,
} from '../../../../src/decide/wires/confidence.ts'

describe('confidence', () => {
  test('of a choice is how far the best stands above an even split', () => {
    // Measured on the live service: four labels, the best at 0.33, confidence 0.10.
    expect(choiceConfidence([0.33, 0.25, 0.22, 0.2])).toBeCloseTo(0.107, 3)
    expect(choiceConfidence([0.25, 0.25, 0.25, 0.25])).toBe(0)
    expect(choiceConfidence([1, 0])).toBe(1)
  })

  test('of a score is how near the levels are to the most likely one', () => {
    expect(scoreConfidence([0, 1, 0])).toBe(1)
    // D = (1 + 0 + 1) / 3; spread around level 1 = 0.45 + 0.07.
    expect(scoreConfidence([0.45, 0.48, 0.07])).toBeCloseTo(1 - 0.52 / (2 / 3), 10)
    expect(scoreConfidence([0.5, 0, 0.5])).toBe(0)
  })

  test.each([[[]], [[1]], [[0.5, undefined]], [[0.5, Number.NaN]], [[1.5, 0]], [['1', '0']]])(
    'does not follow from %j',
    (probabilities) => {
      expect(choiceConfidence(probabilities)).toBe(undefined)
      expect(scoreConfidence(probabilities)).toBe(undefined)
    },
  )

  test('is derived only where none was sent', () => {
    expect(readConfidence(undefined, () => 0.4)).toBe(0.4)
    expect(readConfidence(null, () => 0.4)).toBe(0.4)
    expect(readConfidence(0.7, () => 0.4)).toBe(0.7)
    expect(readConfidence(7, () => 0.4)).toBe(undefined)
    expect(readConfidence('0.7', () => 0.4)).toBe(undefined)
  })
})
