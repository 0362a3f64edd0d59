/** Principal axes by Jacobi rotations: plain arithmetic in a fixed order. */
const MAX_SWEEPS = 30
const TOLERANCE = 1e-20

/** `count` axes of a symmetric matrix (row by row), those of the largest eigenvalues first. */
export function principalAxes(matrix: Float64Array, width: number, count: number): Float64Array[] {
  const values = Float64Array.from(matrix)
  const axes = new Float64Array(width * width)
  for (let index = 0; index < width; index += 1) axes[index * width + index] = 1
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    if (offDiagonalShare(values, width) < TOLERANCE) break
    for (let row = 0; row < width - 1; row += 1) {
      for (let column = row + 1; column < width; column += 1) {
        rotate(values, axes, width, row, column)
      }
    }
  }
  return Array.from({ length: width }, (_, index) => index)
    .sort((a, b) => values[b * width + b]! - values[a * width + a]! || a - b)
    .slice(0, count)
    .map((index) => withFixedSign(axes.slice(index * width, (index + 1) * width)))
}

function offDiagonalShare(values: Float64Array, width: number): number {
  let off = 0
  let on = 0
  for (let row = 0; row < width; row += 1) {
    on += values[row * width + row]! ** 2
    for (let column = row + 1; column < width; column += 1)
      off += values[row * width + column]! ** 2
  }
  return off / on
}

/** Turns rows and columns p and q so that the entry at (p, q) becomes 0. Axes are the rows of `axes`. */
function rotate(
  values: Float64Array,
  axes: Float64Array,
  width: number,
  p: number,
  q: number,
): void {
  const across = values[p * width + q]!
  if (across === 0) return
  const theta = (values[q * width + q]! - values[p * width + p]!) / (2 * across)
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  for (let at = 0; at < width; at += 1) {
    const left = values[p * width + at]!
    const right = values[q * width + at]!
    values[p * width + at] = cosine * left - sine * right
    values[q * width + at] = sine * left + cosine * right
    const leftAxis = axes[p * width + at]!
    const rightAxis = axes[q * width + at]!
    axes[p * width + at] = cosine * leftAxis - sine * rightAxis
    axes[q * width + at] = sine * leftAxis + cosine * rightAxis
  }
  for (let at = 0; at < width; at += 1) {
    const left = values[at * width + p]!
    const right = values[at * width + q]!
    values[at * width + p] = cosine * left - sine * right
    values[at * width + q] = sine * left + cosine * right
  }
}

/** An axis and its opposite are the same axis: its largest part is made positive. */
function withFixedSign(axis: Float64Array): Float64Array {
  const largest = axis.reduce((best, value) => (Math.abs(value) > Math.abs(best) ? value : best), 0)
  return largest < 0 ? axis.map((value) => -value) : axis
}
