/** Reads a safetensors file of 16-bit floats. */
import { readFileSync } from 'node:fs'

interface TensorEntry {
  readonly dtype: string
  readonly shape: readonly number[]
  readonly data_offsets: readonly [number, number]
}

export interface Tensor {
  readonly values: Float32Array
  readonly shape: readonly number[]
}

export type ReadTensor = (name: string) => Tensor

export function openWeights(path: string): ReadTensor {
  const file = readFileSync(path)
  const headerLength = Number(file.readBigUInt64LE(0))
  const start = 8 + headerLength
  const header: Record<string, TensorEntry> = JSON.parse(file.toString('utf8', 8, start))
  return (name) => {
    const entry = header[name]
    if (entry?.dtype !== 'F16') throw new Error(`The weights hold no 16-bit tensor ${name}.`)
    const [from, to] = entry.data_offsets
    const values = new Float32Array((to - from) / 2)
    for (let index = 0; index < values.length; index += 1) {
      values[index] = halfToNumber(file.readUInt16LE(start + from + 2 * index))
    }
    return { values, shape: entry.shape }
  }
}

function halfToNumber(half: number): number {
  const sign = half & 0x8000 ? -1 : 1
  const exponent = (half >> 10) & 0x1f
  const fraction = half & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}
