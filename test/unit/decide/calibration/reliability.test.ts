import { expect, test } from 'vitest'
import { measureReliability } from '../../../../src/decide/calibration/reliability.ts'

const judged = (...pairs: [probability: number, needed: boolean][]) =>
  pairs.map(([probability, needed]) => ({ probability, needed }))

test('a reliability table counts each probability in its bin, 1 in the last', () => {
  const { bins } = measureReliability(judged([0, false], [0.25, true], [0.26, false], [1, true]), 4)
  expect(bins.map(({ count }) => count)).toEqual([1, 2, 0, 1])
  expect(bins[1]).toEqual({
    from: 0.25,
    to: 0.5,
    count: 2,
    probability: expect.closeTo(0.255),
    needed: 0.5,
  })
  expect(bins[2]).toMatchObject({ count: 0, probability: undefined, needed: undefined })
})

test('the errors are those of the definitions', () => {
  const { brier, calibrationError } = measureReliability(
    judged([0.2, false], [0.2, true], [0.9, true], [0.9, true]),
    10,
  )
  expect(brier).toBeCloseTo((0.04 + 0.64 + 0.01 + 0.01) / 4, 12)
  expect(calibrationError).toBeCloseTo((2 * 0.3 + 2 * 0.1) / 4, 12)
})

test('what may be dropped is what is at or under the bar', () => {
  const { droppable } = measureReliability(
    judged([0.05, false], [0.2, true], [0.2001, true], [0.9, true]),
    10,
  )
  expect(droppable).toEqual({ count: 2, expectedNeeded: 0.25, needed: 1 })
})
