import { type PlattCalibration, sigmoid, toLogit } from './calibration.ts'
import { hasBothLabels, type LabelledScores, smoothedTargets } from './labelled-score.ts'

/** Keeps the Hessian invertible where every score is the same. */
const RIDGE = 1e-12
const MAX_ITERATIONS = 100
const SMALLEST_GRADIENT = 1e-7
const SMALLEST_STEP = 1e-10

interface Point {
  readonly x: number
  readonly target: number
}

/**
 * Maximum likelihood of sigmoid(a x + b) by Newton's method with backtracking: Lin, Lin and Weng,
 * "A note on Platt's probabilistic outputs for support vector machines", 2007.
 *
 * @returns undefined unless both labels occur. `a` is 0 or less where the scores do not rank.
 */
export function fitPlatt({ rows, scale }: LabelledScores): PlattCalibration | undefined {
  if (!hasBothLabels(rows)) return undefined
  const targetOf = smoothedTargets(rows)
  const points = rows.map((row) => ({ x: toLogit(row.score, scale), target: targetOf(row) }))
  const needed = rows.filter((row) => row.needed).length
  let a = 0
  let b = Math.log((needed + 1) / (rows.length - needed + 1))
  let loss = totalLoss(points, a, b)
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    const { gradientA, gradientB, stepA, stepB } = newtonStep(points, a, b)
    if (Math.abs(gradientA) < SMALLEST_GRADIENT && Math.abs(gradientB) < SMALLEST_GRADIENT) break
    const slope = gradientA * stepA + gradientB * stepB
    let size = 1
    let next = totalLoss(points, a + stepA, b + stepB)
    while (next >= loss + 1e-4 * size * slope && size >= SMALLEST_STEP) {
      size /= 2
      next = totalLoss(points, a + size * stepA, b + size * stepB)
    }
    if (size < SMALLEST_STEP) break
    a += size * stepA
    b += size * stepB
    loss = next
  }
  return { method: 'platt', a, b, scale }
}

function newtonStep(points: readonly Point[], a: number, b: number) {
  let gradientA = 0
  let gradientB = 0
  let curveAA = RIDGE
  let curveAB = 0
  let curveBB = RIDGE
  for (const { x, target } of points) {
    const probability = sigmoid(a * x + b)
    const error = probability - target
    const weight = probability * (1 - probability)
    gradientA += x * error
    gradientB += error
    curveAA += x * x * weight
    curveAB += x * weight
    curveBB += weight
  }
  const determinant = curveAA * curveBB - curveAB * curveAB
  return {
    gradientA,
    gradientB,
    stepA: -(curveBB * gradientA - curveAB * gradientB) / determinant,
    stepB: -(curveAA * gradientB - curveAB * gradientA) / determinant,
  }
}

/** Cross entropy, written so that no exponential overflows. */
function totalLoss(points: readonly Point[], a: number, b: number): number {
  let loss = 0
  for (const { x, target } of points) {
    const value = a * x + b
    loss += Math.max(value, 0) - target * value + Math.log1p(Math.exp(-Math.abs(value)))
  }
  return loss
}
