import type { JudgedCase } from '../lib/labelled-case.ts'
import { number, type ResultTable, scientific } from '../lib/result.ts'
import { calibrationError, reliability, topCalibrationError } from './measures/calibration.ts'

/** Predicted beside observed by powers of ten, and the calibration error, for one set. */
export function reliabilityTable(name: string, cases: readonly JudgedCase[]): ResultTable {
  return {
    isDetail: true,
    title: `${name}: reliability by decades`,
    columns: ['predicted', 'observed', 'observed / predicted', 'answers'],
    rows: reliability(cases, 1).map(({ predicted, observed, count }) => [
      scientific(predicted),
      scientific(observed),
      (observed / predicted).toFixed(2),
      number(count),
    ]),
    note: `Expected calibration error: ${calibrationError(cases).toExponential(1)} over all answers (15 bins of equal size; small by itself where few turns are needed), ${topCalibrationError(cases).toFixed(3)} over the 20 likeliest turns of each request.`,
  }
}
