import { type Calibration, SCORE_SCALES, type ScoreScale } from './calibration.ts'

/** More would be a table of the data and no longer a curve through it. */
const MAX_POINTS = 1_000

/**
 * A calibration from configuration: the JSON text that `npm run calibrate` prints. Undefined where it
 * is anything else, has a slope that would turn the ranking round, or has an unknown member.
 */
export function readCalibration(text: string): Calibration | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  const { method, scale, ...rest } = value as Readonly<Record<string, unknown>>
  if (scale !== undefined && !isScale(scale)) return undefined
  const named = scale === undefined ? {} : { scale }
  if (method === 'platt') return readPlatt(rest, named)
  return method === 'isotonic' ? readIsotonic(rest, named) : undefined
}

type Rest = Readonly<Record<string, unknown>>
type Named = { readonly scale?: ScoreScale }

function readPlatt({ a, b, ...unknown }: Rest, named: Named): Calibration | undefined {
  if (Object.keys(unknown).length > 0) return undefined
  if (!isNumber(a) || !isNumber(b) || a <= 0) return undefined
  return { method: 'platt', a, b, ...named }
}

function readIsotonic({ points, ...unknown }: Rest, named: Named): Calibration | undefined {
  if (Object.keys(unknown).length > 0) return undefined
  if (!Array.isArray(points) || points.length < 2 || points.length > MAX_POINTS) return undefined
  const read: (readonly [number, number])[] = []
  for (const point of points as readonly unknown[]) {
    const pair = readPoint(point)
    const last = read.at(-1)
    if (pair === undefined) return undefined
    if (last !== undefined && (pair[0] <= last[0] || pair[1] < last[1])) return undefined
    read.push(pair)
  }
  return { method: 'isotonic', points: read, ...named }
}

function readPoint(point: unknown): readonly [number, number] | undefined {
  if (!Array.isArray(point) || point.length !== 2) return undefined
  const [score, probability] = point as readonly unknown[]
  if (!isNumber(score) || !isNumber(probability)) return undefined
  return probability >= 0 && probability <= 1 ? [score, probability] : undefined
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

function isScale(value: unknown): value is ScoreScale {
  return SCORE_SCALES.some((scale) => scale === value)
}
