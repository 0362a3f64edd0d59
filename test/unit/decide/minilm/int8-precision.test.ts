import { describe, expect, it } from 'vitest'
import { quantise } from '../../../../scripts/minilm/int8-precision.ts'

const tensor = { values: Float32Array.of(1, -20, 0, 0.3, 10.25, 0), shape: [2, 3] }

describe('quantise', () => {
  it('has a scale for each column, by which its largest number is the largest there is', () => {
    const { values, scales } = quantise(tensor, 'columns', 63)
    expect([...scales]).toEqual([...Float32Array.of(1 / 63, 20 / 63, 1)])
    expect([...values]).toEqual([63, -63, 0, 19, 32, 0])
  })

  it('has a scale for each row', () => {
    const { values, scales } = quantise(tensor, 'rows', 127)
    expect([...scales]).toEqual([...Float32Array.of(20 / 127, 10.25 / 127)])
    expect([...values]).toEqual([6, -127, 0, 4, 127, 0])
  })
})
