import { DROP_BAR, type Reliability } from '../../src/decide/calibration/reliability.ts'
import type { CalibrationReport } from './calibrate-scores.ts'

/** The tables and the coefficients as text; the last line is the calibration alone, as JSON. */
export function renderReport(report: CalibrationReport): string {
  const { calibration, rows, needed, before, after } = report
  return [
    `${rows} rows, ${needed} needed (${percent(needed / rows)}), scores of scale ${calibration.scale}`,
    '',
    'Before: scores as they are',
    ...renderReliability(before),
    '',
    `After: ${calibration.method}, each row judged by a fit to other rows`,
    ...renderReliability(after),
    '',
    'For PRECIS_DECIDE_CALIBRATION:',
    JSON.stringify(calibration),
  ].join('\n')
}

function renderReliability({ bins, brier, calibrationError, droppable }: Reliability): string[] {
  const lines = ['  P(needed)    count  mean P  needed']
  for (const { from, to, count, probability, needed } of bins) {
    const range = `${from.toFixed(2)}-${to.toFixed(2)}`.padEnd(9)
    lines.push(`  ${range} ${String(count).padStart(8)}  ${share(probability)}  ${share(needed)}`)
  }
  const { count, expectedNeeded, needed } = droppable
  lines.push(
    `  Brier score ${brier.toFixed(4)}, calibration error ${calibrationError.toFixed(4)}`,
    `  At P <= ${DROP_BAR}: ${count} messages, ${expectedNeeded.toFixed(1)} expected to be needed, ${needed} were`,
  )
  return lines
}

function share(value: number | undefined): string {
  return (value === undefined ? '-' : value.toFixed(3)).padStart(6)
}

function percent(value: number): string {
  return `${(value * 100).toFixed(1)}%`
}
