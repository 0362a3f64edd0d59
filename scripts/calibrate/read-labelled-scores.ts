import { isScore, type ScoreScale } from '../../src/decide/calibration/calibration.ts'
import type { LabelledScore, LabelledScores } from '../../src/decide/calibration/labelled-score.ts'

/** Lines that are named before the rest is only counted. */
const NAMED_FAULTS = 5

/**
 * Rows of JSONL: `{"score": number, "needed": boolean}`, other members ignored, empty lines skipped.
 * Without a scale, scores that all lie from 0 to 1 are `unit`, any others `logit`.
 *
 * @throws Error that names the lines that are no such rows, and quotes nothing of them
 */
export function readLabelledScores(text: string, scale?: ScoreScale): LabelledScores {
  const rows: LabelledScore[] = []
  const faults: number[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const row = readRow(line, scale ?? 'logit')
    if (row === undefined) faults.push(index + 1)
    else rows.push(row)
  }
  if (faults.length > 0) {
    const named = faults.slice(0, NAMED_FAULTS).join(', ')
    const more = faults.length > NAMED_FAULTS ? ` and ${faults.length - NAMED_FAULTS} more` : ''
    const range = scale === 'unit' ? ' from 0 to 1' : ''
    throw new Error(
      `not {"score": number${range}, "needed": true or false} in line ${named}${more}`,
    )
  }
  const isUnit = rows.every(({ score }) => isScore(score, 'unit'))
  return { rows, scale: scale ?? (isUnit ? 'unit' : 'logit') }
}

function readRow(line: string, scale: ScoreScale): LabelledScore | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { score, needed } = value as Readonly<Record<string, unknown>>
  return isScore(score, scale) && typeof needed === 'boolean' ? { score, needed } : undefined
}
