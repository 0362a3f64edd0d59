import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Calibration,
  createScoreReader,
} from '../../../../src/decide/calibration/calibration.ts'

const isotonic: Calibration = {
  method: 'isotonic',
  points: [
    [0.1, 0.2],
    [0.5, 0.2],
    [0.9, 0.8],
  ],
}

describe('a score without a calibration', () => {
  test('from 0 to 1 is taken as it is, to the last digit', () => {
    const read = createScoreReader(undefined, 'unit')
    for (const score of [0, 1e-9, 0.1, 0.30000000000000004, 1]) expect(read(score)).toBe(score)
  })

  test.each([
    [0, 0.5],
    [Math.log(4), 0.8],
    [-11.02, 1 / (1 + Math.exp(11.02))],
    [-800, 0],
    [800, 1],
  ])('as a logit goes through the sigmoid: %d', (score, probability) => {
    expect(createScoreReader(undefined, 'logit')(score)).toBeCloseTo(probability, 12)
  })

  test.each([null, undefined, '0.5', true, Number.NaN, Number.POSITIVE_INFINITY, [0.5], {}])(
    'is no score when it is %j (P6)',
    (score) => {
      expect(createScoreReader(undefined, 'unit')(score)).toBeUndefined()
      expect(createScoreReader(undefined, 'logit')(score)).toBeUndefined()
      expect(createScoreReader(isotonic, 'unit')(score)).toBeUndefined()
    },
  )

  test('outside 0 to 1 is no score of that scale, calibrated or not (P6)', () => {
    const platt: Calibration = { method: 'platt', a: 1, b: 0 }
    for (const calibration of [undefined, platt, isotonic]) {
      const read = createScoreReader(calibration, 'unit')
      expect(read(-0.0001)).toBeUndefined()
      expect(read(1.0001)).toBeUndefined()
    }
  })
})

describe('a calibration', () => {
  test('of Platt with a = 1 and b = 0 changes next to nothing', () => {
    const unit = createScoreReader({ method: 'platt', a: 1, b: 0 }, 'unit')
    const logit = createScoreReader({ method: 'platt', a: 1, b: 0 }, 'logit')
    for (const score of [0.01, 0.2, 0.5, 0.99]) expect(unit(score)).toBeCloseTo(score, 12)
    expect(logit(2)).toBeCloseTo(1 / (1 + Math.exp(-2)), 12)
  })

  test('reads 0 and 1 of single precision as nearly so', () => {
    const read = createScoreReader({ method: 'platt', a: 0.5, b: 0 }, 'unit')
    expect(read(0)).toBeCloseTo(0.001, 4)
    expect(read(1)).toBeCloseTo(0.999, 4)
  })

  test('of points is level beyond its ends and straight between them', () => {
    const read = createScoreReader(isotonic, 'unit')
    expect([0, 0.1, 0.3, 0.5, 0.9, 1].map(read)).toEqual([0.2, 0.2, 0.2, 0.2, 0.8, 0.8])
    expect(read(0.7)).toBeCloseTo(0.5, 12)
  })

  test('may say what its scores are, before the dialect', () => {
    const read = createScoreReader({ method: 'platt', a: 1, b: 0, scale: 'logit' }, 'unit')
    expect(read(-3)).toBeCloseTo(1 / (1 + Math.exp(3)), 12)
  })

  test('keeps the order of scores, and ends in probabilities', () => {
    const score = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    const platt = fc.record({
      method: fc.constant('platt' as const),
      a: fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
      b: fc.double({ min: -1e3, max: 1e3, noNaN: true }),
    })
    fc.assert(
      fc.property(score, score, platt, (one, other, calibration) => {
        const read = createScoreReader(calibration, 'logit')
        const low = read(Math.min(one, other)) ?? Number.NaN
        const high = read(Math.max(one, other)) ?? Number.NaN
        expect(low).toBeGreaterThanOrEqual(0)
        expect(high).toBeLessThanOrEqual(1)
        expect(low).toBeLessThanOrEqual(high)
      }),
      { seed: 20_261_130 },
    )
  })
})
