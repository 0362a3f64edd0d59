import { describe, expect, test } from 'vitest'
import { createScoreReader, sigmoid } from '../../../../src/decide/calibration/calibration.ts'
import { crossFit } from '../../../../src/decide/calibration/cross-fit.ts'
import { fitIsotonic } from '../../../../src/decide/calibration/fit-isotonic.ts'
import { fitPlatt } from '../../../../src/decide/calibration/fit-platt.ts'
import type { LabelledScores } from '../../../../src/decide/calibration/labelled-score.ts'
import { measureReliability } from '../../../../src/decide/calibration/reliability.ts'
import { createSeededRandom } from '../../../helpers/seeded-random.ts'

/** Logits whose labels follow sigmoid(a x + b). */
function draw(count: number, a: number, b: number): LabelledScores {
  const { next: random } = createSeededRandom(7)
  const rows = Array.from({ length: count }, () => {
    const score = -6 + 10 * random()
    return { score, needed: random() < sigmoid(a * score + b) }
  })
  return { rows, scale: 'logit' }
}
const few = (...rows: [score: number, needed: boolean][]): LabelledScores => ({
  scale: 'logit',
  rows: rows.map(([score, needed]) => ({ score, needed })),
})

describe('a fit of Platt', () => {
  test('finds the coefficients that the labels were drawn with', () => {
    const fitted = fitPlatt(draw(20_000, 0.7, 0.9))
    expect(fitted?.a).toBeCloseTo(0.7, 1)
    expect(fitted?.b).toBeCloseTo(0.9, 1)
  })

  test('fits scores from 0 to 1 by their logits', () => {
    const { rows } = draw(20_000, 0.7, 0.9)
    const unit = rows.map(({ score, needed }) => ({ score: sigmoid(score), needed }))
    const fitted = fitPlatt({ rows: unit, scale: 'unit' })
    expect(fitted).toMatchObject({ scale: 'unit', a: expect.closeTo(0.7, 1) })
  })

  test('is at the least loss there is: a step in any direction loses', () => {
    const scores = draw(400, 1, 0)
    const fitted = fitPlatt(scores)
    const needed = scores.rows.filter((row) => row.needed).length
    const target = (row: { needed: boolean }) =>
      row.needed ? (needed + 1) / (needed + 2) : 1 / (scores.rows.length - needed + 2)
    const loss = (a: number, b: number) =>
      scores.rows.reduce((sum, row) => {
        const p = sigmoid(a * row.score + b)
        return sum - target(row) * Math.log(p) - (1 - target(row)) * Math.log(1 - p)
      }, 0)
    const { a = 0, b = 0 } = fitted ?? {}
    for (const [x, y] of [
      [1e-3, 0],
      [-1e-3, 0],
      [0, 1e-3],
      [0, -1e-3],
    ] as const) {
      expect(loss(a + x, b + y)).toBeGreaterThan(loss(a, b))
    }
  })

  test('stays finite where one score parts the labels, and sure of nothing', () => {
    const fitted = fitPlatt(few([-2, false], [-1, false], [1, true], [2, true]))
    const read = createScoreReader(fitted, 'logit')
    expect(fitted?.a).toBeGreaterThan(0)
    expect(read(-2)).toBeGreaterThan(0.05)
    expect(read(2)).toBeLessThan(0.95)
  })

  test('stays finite where all scores are one, and has a level slope', () => {
    const fitted = fitPlatt(few([3, true], [3, false], [3, false]))
    expect(createScoreReader(fitted, 'logit')(3)).toBeCloseTo((2 / 3 + 1 / 4 + 1 / 4) / 3, 6)
  })

  test('has a slope below 0 where scores rank the wrong way', () => {
    expect(fitPlatt(few([-2, true], [-1, true], [1, false], [2, false]))?.a).toBeLessThan(0)
  })

  test('wants both labels', () => {
    expect(fitPlatt(few([1, true], [2, true]))).toBeUndefined()
    expect(fitPlatt(few())).toBeUndefined()
  })
})

describe('an isotonic fit', () => {
  test('pools what is out of order', () => {
    const fitted = fitIsotonic(few([1, false], [2, true], [3, false], [4, true]))
    const high = 3 / 4
    const low = 1 / 4
    expect(fitted?.points).toEqual([
      [1, low],
      [2, (high + low) / 2],
      [3, (high + low) / 2],
      [4, high],
    ])
  })

  test('takes equal scores together, whatever their order', () => {
    const one = fitIsotonic(few([1, false], [2, true], [2, false], [3, true]))
    const other = fitIsotonic(few([3, true], [2, false], [2, true], [1, false]))
    expect(one).toEqual(other)
    expect(one?.points.map(([score]) => score)).toEqual([1, 2, 3])
  })

  test('never descends, and is certain of nothing', () => {
    const points = fitIsotonic(draw(2_000, 0.5, 0))?.points ?? []
    expect(points.length).toBeGreaterThan(4)
    for (const [index, [score, probability]] of points.entries()) {
      const [lastScore, last] = points[index - 1] ?? [Number.NEGATIVE_INFINITY, 0]
      expect(score).toBeGreaterThan(lastScore)
      expect(probability).toBeGreaterThanOrEqual(last)
    }
    expect(points[0]?.[1]).toBeGreaterThan(0)
    expect(points.at(-1)?.[1]).toBeLessThan(1)
  })

  test('is one level where scores rank the wrong way', () => {
    const points = fitIsotonic(few([-2, true], [-1, true], [1, false], [2, false]))?.points
    expect(points?.map(([, probability]) => probability)).toEqual([0.5, 0.5])
  })

  test('wants both labels and two scores', () => {
    expect(fitIsotonic(few([1, true], [2, true]))).toBeUndefined()
    expect(fitIsotonic(few([1, true], [1, false]))).toBeUndefined()
  })
})

describe('a judgement by fits to other rows', () => {
  test('covers every row once', () => {
    expect(crossFit(draw(501, 1, 0), fitPlatt)).toHaveLength(501)
  })

  test('is not flattered by a curve that follows its own rows', () => {
    const scores: LabelledScores = { ...draw(300, 0, 0), scale: 'logit' }
    const own = createScoreReader(fitIsotonic(scores), 'logit')
    const onOwn = scores.rows.map(({ score, needed }) => ({ probability: own(score) ?? 0, needed }))
    const onOthers = crossFit(scores, fitIsotonic) ?? []
    const brier = (judged: typeof onOwn) => measureReliability(judged, 10).brier
    expect(brier(onOwn)).toBeLessThan(0.245)
    expect(brier([...onOthers])).toBeGreaterThan(0.25)
  })

  test('is none where a part leaves one label', () => {
    expect(crossFit(few([1, true], [2, false], [3, false]), fitPlatt)).toBeUndefined()
  })
})
