/**
 * Fits the calibration of a model from labelled scores, and prints how reliable its probabilities were
 * before and are after. Scores are those that the server answers with, one row per judged message.
 *
 *     npm run calibrate -- --data FILE.jsonl [--method platt|isotonic] [--scale unit|logit] [--bins 10]
 *
 * FILE has a line per message: {"score": 0.42, "needed": true}. `-` reads standard input.
 */
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { SCORE_SCALES } from '../src/decide/calibration/calibration.ts'
import { readCalibration } from '../src/decide/calibration/read-calibration.ts'
import { calibrateScores, METHODS, type Method } from './calibrate/calibrate-scores.ts'
import { readLabelledScores } from './calibrate/read-labelled-scores.ts'
import { renderReport } from './calibrate/render-report.ts'

try {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      method: { type: 'string', default: 'platt' },
      scale: { type: 'string' },
      bins: { type: 'string', default: '10' },
    },
  })
  if (values.data === undefined) throw new Error('--data FILE.jsonl is required')
  const method = oneOf('--method', values.method, Object.keys(METHODS) as Method[])
  const scale =
    values.scale === undefined ? undefined : oneOf('--scale', values.scale, SCORE_SCALES)
  const bins = Number(values.bins)
  if (!Number.isInteger(bins) || bins < 2 || bins > 100)
    throw new Error('--bins has to be 2 to 100')
  const data = values.data === '-' ? await text(process.stdin) : await readFile(values.data, 'utf8')
  const report = calibrateScores(readLabelledScores(data, scale), method, bins)
  if (readCalibration(JSON.stringify(report.calibration)) === undefined) {
    throw new Error('the curve has more points than a configuration takes: use --method platt')
  }
  console.log(renderReport(report))
} catch (error) {
  console.error(`calibrate: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function oneOf<Name extends string>(option: string, value: string, names: readonly Name[]): Name {
  const found = names.find((name) => name === value)
  if (found === undefined) throw new Error(`${option} has to be ${names.join(' or ')}`)
  return found
}
