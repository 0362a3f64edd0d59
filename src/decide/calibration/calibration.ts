/**
 * What a server's scores are. `unit`: from 0 to 1, as a sigmoid leaves them. `logit`: any number, as
 * the model computes them.
 */
export const SCORE_SCALES = ['unit', 'logit'] as const
export type ScoreScale = (typeof SCORE_SCALES)[number]

/**
 * How the scores of one model become P(needed). Fitted by `npm run calibrate`, for one model and one
 * kind of conversation: it transfers to neither.
 *
 * - `platt`: sigmoid(a x + b), where x is the score as a logit; a = 1, b = 0 changes nothing
 * - `isotonic`: straight lines between points of score and probability, level beyond the ends
 */
export type Calibration = PlattCalibration | IsotonicCalibration

export interface PlattCalibration {
  readonly method: 'platt'
  readonly a: number
  readonly b: number
  /** What the coefficients were fitted to. Default: what the wire's dialect documents. */
  readonly scale?: ScoreScale
}

export interface IsotonicCalibration {
  readonly method: 'isotonic'
  /** Scores ascend strictly, probabilities never descend. At least two. */
  readonly points: readonly (readonly [score: number, probability: number])[]
  readonly scale?: ScoreScale
}

/** Undefined for what is not a score of this scale: no number, NaN, or outside 0 to 1. */
export type ReadProbability = (score: unknown) => number | undefined

/**
 * Without a calibration a score from 0 to 1 is taken as it is, and a logit through the sigmoid: what
 * a model that was trained on relevant or not relevant means by it. It says how relevant a text is,
 * which is less than how needed.
 *
 * @param usual the scale where the calibration names none
 */
export function createScoreReader(
  calibration: Calibration | undefined,
  usual: ScoreScale,
): ReadProbability {
  const scale = calibration?.scale ?? usual
  const toProbability = probabilityOf(calibration, scale)
  return (score) => (isScore(score, scale) ? toProbability(score) : undefined)
}

export function isScore(score: unknown, scale: ScoreScale): score is number {
  if (typeof score !== 'number' || !Number.isFinite(score)) return false
  return scale === 'logit' || (score >= 0 && score <= 1)
}

function probabilityOf(
  calibration: Calibration | undefined,
  scale: ScoreScale,
): (score: number) => number {
  if (calibration === undefined) return scale === 'unit' ? (score) => score : sigmoid
  if (calibration.method === 'isotonic') return (score) => interpolate(calibration.points, score)
  const { a, b } = calibration
  return (score) => sigmoid(a * toLogit(score, scale) + b)
}

/** Scores of single precision round to 0 and 1, whose logits are infinite. */
const LEAST = 1e-6

export function toLogit(score: number, scale: ScoreScale): number {
  if (scale === 'logit') return score
  const inside = Math.min(1 - LEAST, Math.max(LEAST, score))
  return Math.log(inside / (1 - inside))
}

export function sigmoid(x: number): number {
  // Of a large negative x, Math.exp(-x) overflows to Infinity, and the quotient is the right 0.
  return 1 / (1 + Math.exp(-x))
}

function interpolate(points: IsotonicCalibration['points'], score: number): number {
  let below: readonly [number, number] | undefined
  for (const point of points) {
    if (score <= point[0]) return below === undefined ? point[1] : between(below, point, score)
    below = point
  }
  return below?.[1] ?? 0.5
}

function between(
  [lowScore, low]: readonly [number, number],
  [highScore, high]: readonly [number, number],
  score: number,
): number {
  return low + ((high - low) * (score - lowScore)) / (highScore - lowScore)
}
