import { describe, expect, test } from 'vitest'
import { readCalibration } from '../../../../src/decide/calibration/read-calibration.ts'

describe('a calibration from configuration', () => {
  test.each([
    { method: 'platt', a: 0.8, b: -1.5 },
    { method: 'platt', a: 2, b: 0, scale: 'logit' },
    {
      method: 'isotonic',
      points: [
        [-3, 0],
        [0.5, 0.4],
        [2, 0.4],
      ],
      scale: 'logit',
    },
    {
      method: 'isotonic',
      points: [
        [0, 0.1],
        [1, 1],
      ],
    },
  ])('is read as it was printed: $method', (calibration) => {
    expect(readCalibration(JSON.stringify(calibration))).toEqual(calibration)
  })

  test.each([
    ['no JSON', '{'],
    ['no object', '[1, 2]'],
    ['nothing', 'null'],
    ['no method', '{"a":1,"b":0}'],
    ['another method', '{"method":"beta","a":1,"b":0}'],
    ['an unknown member', '{"method":"platt","a":1,"b":0,"c":0}'],
    ['an unknown scale', '{"method":"platt","a":1,"b":0,"scale":"percent"}'],
    ['a missing coefficient', '{"method":"platt","a":1}'],
    ['a coefficient in quotes', '{"method":"platt","a":"1","b":0}'],
    ['a coefficient that is infinite', '{"method":"platt","a":1e999,"b":0}'],
    ['a slope that turns the ranking round', '{"method":"platt","a":-1,"b":0}'],
    ['a slope that is level', '{"method":"platt","a":0,"b":0}'],
    ['one point', '{"method":"isotonic","points":[[0,0.5]]}'],
    ['a point of three numbers', '{"method":"isotonic","points":[[0,0.5,1],[1,1]]}'],
    ['a score twice', '{"method":"isotonic","points":[[0,0.1],[0,0.5]]}'],
    ['scores that descend', '{"method":"isotonic","points":[[1,0.1],[0,0.5]]}'],
    ['probabilities that descend', '{"method":"isotonic","points":[[0,0.5],[1,0.4]]}'],
    ['a probability above 1', '{"method":"isotonic","points":[[0,0.5],[1,1.1]]}'],
    [
      'more points than a curve has',
      JSON.stringify({
        method: 'isotonic',
        points: Array.from({ length: 1_001 }, (_, index) => [index, 0.5]),
      }),
    ],
  ])('is refused with %s', (_, text) => {
    expect(readCalibration(text)).toBeUndefined()
  })
})
