import { describe, expect, test } from 'vitest'
import {
  calibrationError,
  reliability,
  topCalibrationError,
} from '../../../eval/measurements/measures/calibration.ts'
import { judged, type TurnSpec } from './cases.ts'

function turns(count: number, score: number, needed: number): TurnSpec[] {
  return Array.from({ length: count }, (_, index) => ({ score, needed: index < needed }))
}

describe('reliability', () => {
  test('puts each probability in its decade, with what was predicted and what was so', () => {
    const one = judged([...turns(10, 0.02, 1), ...turns(10, 0.04, 2), ...turns(4, 0.5, 2)])
    const [low, high] = reliability([one], 1)
    expect(low).toMatchObject({ observed: 0.15, count: 20 })
    expect(low?.predicted).toBeCloseTo(0.03)
    expect(high).toMatchObject({ predicted: 0.5, observed: 0.5, count: 4 })
  })

  test('counts a power of ten to the decade that it begins', () => {
    const bins = reliability([judged([...turns(1, 0.001, 0), ...turns(1, 0.009, 0)])], 1)
    expect(bins.map(({ count }) => count)).toEqual([2])
  })

  test('halves the decades where it is asked to', () => {
    const one = judged([...turns(1, 0.02, 0), ...turns(1, 0.09, 0)])
    expect(reliability([one], 1)).toHaveLength(1)
    expect(reliability([one], 2)).toHaveLength(2)
  })

  test('leaves out what was not answered', () => {
    expect(reliability([judged([{ score: 'unanswered', needed: true }])], 1)).toEqual([])
  })
})

describe('calibrationError', () => {
  test('is nothing where what was predicted is what was so', () => {
    expect(calibrationError([judged(turns(30, 0.5, 15))], 1)).toBe(0)
  })

  test('is the distance of the bins, weighed by their size', () => {
    // Lower half: predicted 0.1, observed 0. Upper half: predicted 0.9, observed 0.5.
    const one = judged([...turns(10, 0.1, 0), ...turns(10, 0.9, 5)])
    expect(calibrationError([one], 2)).toBeCloseTo(0.25)
  })

  test('does not change with the number of equal requests', () => {
    const one = judged([...turns(10, 0.1, 0), ...turns(10, 0.9, 5)])
    expect(calibrationError([one, one, one], 2)).toBeCloseTo(0.25)
  })
})

describe('topCalibrationError', () => {
  test('looks at the likeliest of each request alone', () => {
    const one = judged([...turns(100, 0.01, 0), ...turns(2, 0.8, 0)])
    expect(topCalibrationError([one], 2)).toBeCloseTo(0.8)
    expect(topCalibrationError([one], 200)).toBeLessThan(0.1)
  })
})
