/** Ridge of the fit: enough to keep coefficients of features that say the same thing small. */
const RIDGE = 1
const MAX_STEPS = 30
const TOLERANCE = 1e-7

export interface Sample {
  readonly row: Float64Array
  readonly needed: boolean
  readonly weight: number
}

/** Logistic regression by Newton's method. The first column is the constant and is not shrunk. */
export function fitLogistic(samples: readonly Sample[]): Float64Array {
  const width = samples[0]?.row.length ?? 0
  const weights = new Float64Array(width)
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const { gradient, hessian } = derivatives(samples, weights)
    const change = solve(hessian, gradient)
    let largest = 0
    for (let column = 0; column < width; column += 1) {
      weights[column]! += change[column]!
      largest = Math.max(largest, Math.abs(change[column]!))
    }
    if (largest < TOLERANCE) return weights
  }
  throw new Error('The fit did not converge.')
}

function derivatives(samples: readonly Sample[], weights: Float64Array) {
  const width = weights.length
  const gradient = weights.map((weight, column) => (column === 0 ? 0 : -RIDGE * weight))
  const hessian = Array.from({ length: width }, (_, row) => {
    const line = new Float64Array(width)
    line[row] = row === 0 ? 1e-9 : RIDGE
    return line
  })
  for (const { row, needed, weight } of samples) {
    let sum = 0
    for (let column = 0; column < width; column += 1) sum += weights[column]! * row[column]!
    const probability = 1 / (1 + Math.exp(-sum))
    const residual = weight * ((needed ? 1 : 0) - probability)
    const variance = weight * probability * (1 - probability)
    for (let column = 0; column < width; column += 1) {
      gradient[column]! += residual * row[column]!
      const scaled = variance * row[column]!
      for (let other = 0; other < width; other += 1)
        hessian[column]![other]! += scaled * row[other]!
    }
  }
  return { gradient, hessian }
}

/** Solves a symmetric positive system by elimination with pivots. Changes its arguments. */
function solve(matrix: Float64Array[], right: Float64Array): Float64Array {
  const width = right.length
  for (let pivot = 0; pivot < width; pivot += 1) {
    let best = pivot
    for (let row = pivot + 1; row < width; row += 1) {
      if (Math.abs(matrix[row]![pivot]!) > Math.abs(matrix[best]![pivot]!)) best = row
    }
    ;[matrix[pivot], matrix[best]] = [matrix[best]!, matrix[pivot]!]
    ;[right[pivot], right[best]] = [right[best]!, right[pivot]!]
    for (let row = pivot + 1; row < width; row += 1) {
      const factor = matrix[row]![pivot]! / matrix[pivot]![pivot]!
      for (let column = pivot; column < width; column += 1) {
        matrix[row]![column]! -= factor * matrix[pivot]![column]!
      }
      right[row]! -= factor * right[pivot]!
    }
  }
  for (let row = width - 1; row >= 0; row -= 1) {
    for (let column = row + 1; column < width; column += 1) {
      right[row]! -= matrix[row]![column]! * right[column]!
    }
    right[row]! /= matrix[row]![row]!
  }
  return right
}
