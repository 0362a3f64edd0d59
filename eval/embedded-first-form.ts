/**
 * The embedded decide model in its first form: fits its coefficients on MT-Bench-101 composites and
 * measures what is committed on held-out composites and on LoCoMo.
 *
 *   PRECIS_DATA=<folder> npx tsx eval/embedded-first-form.ts           measures, and says whether
 *                                                                      the fit still gives the file
 *   PRECIS_DATA=<folder> npx tsx eval/embedded-first-form.ts --write   writes the coefficients
 */
import { readFileSync } from 'node:fs'
import { scoreDocuments } from '../src/decide/embedded/bm25.ts'
import { createEmbeddedDecider } from '../src/decide/embedded/embedded-decider.ts'
import { FEATURES, matchDocuments } from '../src/decide/embedded/features.ts'
import { clarityOf } from '../src/decide/embedded/probability.ts'
import { countDocument, readQuery } from '../src/decide/embedded/query.ts'
import { coefficientsText, writeCoefficients } from './embedded-first-form/coefficients-file.ts'
import { buildComposites, readDialogues } from './embedded-first-form/composites.ts'
import { fitLogistic } from './embedded-first-form/fit-logistic.ts'
import {
  documentsOf,
  judgeCase,
  type LabelledCase,
  PROTECT_RECENT,
} from './embedded-first-form/labelled-case.ts'
import { readLocomo } from './embedded-first-form/locomo.ts'
import {
  areaUnderCurve,
  byPosition,
  harmAtHalf,
  type JudgedCase,
  keptAt,
  reliability,
  riskBudgetDrops,
} from './embedded-first-form/measures.ts'
import { dataFolder } from './lib/data-folder.ts'

const FIT_SEED = 1
const HELD_OUT_SEED = 2
const HELD_OUT_ROUNDS = 4

/** Requests that name little or nothing: the model must not drop much for them. */
const VAGUE_REQUESTS = [
  'continue',
  'yes',
  'ok thanks',
  'go on',
  'do it again',
  'no, the other one',
  'now rename that variable',
  'Can you explain more?',
  '继续',
]
const VAGUE_COMPOSITES = 300

function matchesOf(labelled: LabelledCase) {
  const query = readQuery(labelled.request)
  const counted = documentsOf(labelled).map((document) => countDocument(document, query))
  return matchDocuments(counted, counted.length - PROTECT_RECENT, query.size)
}

/** BM25 of the turn alone, without neighbours: what the model adds to stands beside it. */
function byBm25(labelled: LabelledCase): JudgedCase {
  const query = readQuery(labelled.request)
  const counted = documentsOf(labelled).map((document) => countDocument(document, query))
  return { labelled, scores: [...scoreDocuments(counted, query.size)].slice(0, -PROTECT_RECENT) }
}

/** The text of the coefficients file that a fit on these composites gives. */
function fitCoefficients(composites: readonly LabelledCase[]): string {
  const rows: Float64Array[] = []
  const labels: number[] = []
  for (const labelled of composites) {
    matchesOf(labelled).rows.forEach((row, index) => {
      rows.push(row)
      labels.push(labelled.turns[index]!.needed ? 1 : 0)
    })
  }
  const weights = fitLogistic(rows, Uint8Array.from(labels))
  for (const [index, name] of FEATURES.entries()) {
    console.log(`  ${name.padEnd(14)} ${weights[index]!.toFixed(4).padStart(8)}`)
  }
  return coefficientsText(rows, weights, composites.length)
}

async function judgeAll(cases: readonly LabelledCase[]): Promise<JudgedCase[]> {
  const judged: JudgedCase[] = []
  for (const labelled of cases) judged.push({ labelled, scores: await judgeCase(labelled) })
  return judged.filter(({ scores }) => scores.every((score) => !Number.isNaN(score)))
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}

function printSafety(name: string, cases: readonly JudgedCase[]): void {
  const risk = riskBudgetDrops(cases)
  console.log(
    `${name}: ${cases.length} requests, area ${areaUnderCurve(cases).toFixed(3)}, ` +
      `least-needed half dropped: ${percent(harmAtHalf(cases))} harmed; ` +
      `risk budget: ${percent(risk.dropped)} of turns dropped, lost ${risk.expected.toFixed(3)} ` +
      `expected, ${risk.lost.toFixed(3)} observed, ${percent(risk.harmed)} harmed`,
  )
}

function printReliability(cases: readonly JudgedCase[]): void {
  const clear = cases.filter(({ labelled }) => clarityOf(matchesOf(labelled).strength) === 1)
  console.log(
    `  clear requests: ${percent(clear.length / cases.length)}; predicted, observed, turns:`,
  )
  for (const { predicted, observed, count } of reliability(clear)) {
    console.log(`  ${predicted.toExponential(1)}  ${observed.toExponential(1)}  ${count}`)
  }
}

function printKept(name: string, cases: readonly JudgedCase[]): void {
  const cells = [0.5, 0.25, 0.1].map((share) => {
    const { needed, complete } = keptAt(cases, share)
    return `${(100 * needed).toFixed(1)} / ${(100 * complete).toFixed(1)}`
  })
  console.log(`  ${name.padEnd(10)} ${cells.join('   ')}`)
}

/** How much the ranking is worth, by how much the request says. */
function printByStrength(cases: readonly JudgedCase[]): void {
  console.log('  strength of the request, requests, area:')
  const bounds = [0, 0.2, 0.4, 0.6, 0.8, 1, 1.5, 2, Number.POSITIVE_INFINITY]
  const strengths = new Map(cases.map((one) => [one, matchesOf(one.labelled).strength]))
  for (let index = 0; index + 1 < bounds.length; index += 1) {
    const within = cases.filter((one) => {
      const strength = strengths.get(one) ?? 0
      return strength >= bounds[index]! && strength < bounds[index + 1]!
    })
    if (within.length === 0) continue
    console.log(`  from ${bounds[index]}: ${within.length}, ${areaUnderCurve(within).toFixed(3)}`)
  }
}

async function printVague(composites: readonly LabelledCase[]): Promise<void> {
  console.log('\nVague requests in held-out composites: turns dropped by the default rules')
  for (const request of VAGUE_REQUESTS) {
    const cases = composites
      .slice(0, VAGUE_COMPOSITES)
      .map((labelled) => ({ ...labelled, request }))
    const judged = await judgeAll(cases)
    const muted = judged.filter(({ scores }) => scores.every((score) => score === 0.5)).length
    const { dropped } = riskBudgetDrops(judged)
    console.log(
      `  ${request.padEnd(26)} ${percent(dropped).padStart(5)}, no opinion at all in ${percent(muted / judged.length)}`,
    )
  }
}

async function printSpeed(composites: readonly LabelledCase[]): Promise<void> {
  const turns = composites.flatMap((labelled) => labelled.turns)
  const request = composites[0]?.request ?? ''
  console.log('\nTime of one call, best of 5')
  for (const count of [200, 2_000, 20_000]) {
    const labelled = {
      kind: 'speed',
      request,
      turns: Array.from({ length: count }, (_, index) => turns[index % turns.length]!),
    }
    const times: number[] = []
    for (let round = 0; round < 5; round += 1) {
      const startedAt = performance.now()
      await judgeCase(labelled)
      times.push(performance.now() - startedAt)
    }
    const length = labelled.turns.reduce((sum, { text }) => sum + text.length, 0)
    console.log(
      `  ${count} turns, ${(length / 1e6).toFixed(2)} MB: ${Math.min(...times).toFixed(1)} ms`,
    )
  }
}

const folder = dataFolder()
if (folder === undefined) {
  console.error('Set PRECIS_DATA to the folder of real conversations.')
  process.exit(1)
}
const { fit, heldOut } = readDialogues(folder)
console.log(`Fit on composites of ${fit.length} dialogues (${heldOut.length} held out)`)
const fitted = fitCoefficients(buildComposites(fit, 1, FIT_SEED))
if (process.argv.includes('--write')) {
  writeCoefficients(fitted)
  console.log('Coefficients written: run again without --write to measure them.')
  process.exit(0)
}
const committed = readFileSync(
  new URL('../src/decide/embedded/coefficients.ts', import.meta.url),
  'utf8',
)
console.log(`The committed file is ${committed === fitted ? '' : 'NOT '}what this fit gives.`)

const composites = buildComposites(heldOut, HELD_OUT_ROUNDS, HELD_OUT_SEED)
const judged = await judgeAll(composites)
console.log(`\nHeld-out composites (embedded model ${createEmbeddedDecider().traits.model})`)
for (const kind of ['return', 'stay']) {
  printSafety(
    `  ${kind}`,
    judged.filter(({ labelled }) => labelled.kind === kind),
  )
}
printReliability(judged)
printByStrength(judged.filter(({ labelled }) => labelled.kind === 'return'))
await printVague(composites)

const questions = readLocomo(folder)
const answered = await judgeAll(questions)
console.log(`\nLoCoMo: needed turns kept / requests with all of them, at 50, 25, 10% of tokens`)
printKept('position', questions.map(byPosition))
printKept('BM25', questions.map(byBm25))
printKept('embedded', answered)
printSafety('  embedded', answered)
printReliability(answered)
await printSpeed(composites)
