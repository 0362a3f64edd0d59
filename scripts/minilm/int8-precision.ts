/** Holds the encoder's matrices in 8 bits, a quarter of their size, and multiplies in whole numbers. */
import type { Precision } from '../embedding/encoder-graph.ts'
import type { Tensor } from '../embedding/encoder-weights.ts'

const FLOAT = 1

/**
 * Half of what 8 bits hold: processors with AVX2 alone add two products in 16 bits, and larger weights
 * would overflow there. With this bound all processors come to the same sums.
 */
const LARGEST = 63
/** Rows are only looked up, never multiplied, so they have all of the 8 bits. */
const LARGEST_ROW = 127

/**
 * Weights have a scale for each output, rows one each; inputs are scaled as they come, all of one text by
 * the same number. Two texts of one batch would share it: run one text at a time, or a vector
 * depends on its neighbours.
 */
export function createInt8Precision(): Precision {
  const quantised = new Map<string, readonly string[]>()
  return {
    rows: (graph, table, ids) => {
      const { values, scales } = quantise(table, 'rows', LARGEST_ROW)
      const [count = 0] = table.shape
      const rows = graph.add('Gather', [graph.bytes(values, table.shape), ids])
      const scale = graph.add('Gather', [graph.floats(scales, [count, 1]), ids])
      return graph.add('Mul', [graph.add('Cast', [rows], { to: FLOAT }), scale])
    },
    product: (graph, input, matrix) => {
      const { values, scales } = quantise(matrix, 'columns', LARGEST)
      // Query, key and value are products of the same input.
      const known = quantised.get(input) ?? graph.addSeveral('DynamicQuantizeLinear', [input], 3)
      quantised.set(input, known)
      const [numbers = '', scale = '', zero = ''] = known
      const weights = graph.bytes(values, matrix.shape)
      const sums = graph.add('MatMulInteger', [numbers, weights, zero])
      const scaleOfBoth = graph.add('Mul', [scale, graph.floats(scales, [scales.length])])
      return graph.add('Mul', [graph.add('Cast', [sums], { to: FLOAT }), scaleOfBoth])
    },
  }
}

/** The nearest whole numbers, with a scale for each row or each column. */
export function quantise(
  { values, shape }: Tensor,
  by: 'rows' | 'columns',
  largest: number,
): { readonly values: Int8Array; readonly scales: Float32Array } {
  const [, width = 0] = shape
  const groupOf =
    by === 'rows' ? (at: number) => Math.floor(at / width) : (at: number) => at % width
  const scales = new Float32Array(by === 'rows' ? values.length / width : width)
  for (let at = 0; at < values.length; at += 1) {
    const group = groupOf(at)
    scales[group] = Math.max(scales[group]!, Math.abs(values[at]!))
  }
  for (let group = 0; group < scales.length; group += 1) {
    scales[group] = scales[group] === 0 ? 1 : scales[group]! / largest
  }
  const whole = Int8Array.from(values, (value, at) => Math.round(value / scales[groupOf(at)]!))
  return { values: whole, scales }
}
