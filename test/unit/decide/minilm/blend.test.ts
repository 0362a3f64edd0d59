import { describe, expect, it } from 'vitest'
import { cosine } from '../../../../src/decide/embedded/cosine.ts'
import { blend, ENCODER_SHARE } from '../../../../src/decide/minilm/blend.ts'

function vectorOf(...values: number[]) {
  return { values: Float32Array.from(values), length: Math.hypot(...values) }
}
const blended = (encoded: readonly number[], table: readonly number[]) => ({
  values: blend(Float32Array.from(encoded), vectorOf(...table)),
  length: 1,
})

describe('blend', () => {
  it('makes the cosine of two texts the weighted mean of the two cosines', () => {
    const [one, other] = [
      [3, 4, 0],
      [1, 2, -2],
    ] as const
    const [tableOne, tableOther] = [
      [5, 1],
      [-1, 7],
    ] as const
    const expected =
      ENCODER_SHARE * cosine(vectorOf(...one), vectorOf(...other)) +
      (1 - ENCODER_SHARE) * cosine(vectorOf(...tableOne), vectorOf(...tableOther))
    const found = cosine(blended(one, tableOne), blended(other, tableOther))
    expect(found).toBeCloseTo(expected, 6)
    expect(cosine(blended(one, tableOne), blended(one, tableOne))).toBeCloseTo(1, 6)
  })

  it('counts nothing for the table where it knows no word of a text', () => {
    const found = cosine(blended([1, 0], [0, 0]), blended([1, 0], [2, 1]))
    expect(found).toBeCloseTo(ENCODER_SHARE, 6)
  })

  it('gives numbers for an encoder that gave none', () => {
    expect([...blend(new Float32Array(3), vectorOf(0, 0))]).toEqual([0, 0, 0, 0, 0])
  })
})
