/**
 * The embedded decide model: fits its coefficients on conversations put together from MT-Bench-101 and
 * measures what is committed on dialogues that the fit has not seen and on LoCoMo.
 *
 *   PRECIS_DATA=<folder> npx tsx eval/embedded-model.ts           measures, and says whether the fit
 *                                                                 still gives the committed file
 *   PRECIS_DATA=<folder> npx tsx eval/embedded-model.ts --write   writes the coefficients
 */
import { readFileSync } from 'node:fs'
import { scoreDocuments } from '../src/decide/embedded/bm25.ts'
import { createEmbeddedDecider } from '../src/decide/embedded/embedded-decider.ts'
import { countDocument, readQuery } from '../src/decide/embedded/query.ts'
import { buildClozes } from './embedded-model/cloze.ts'
import { writeCoefficients } from './embedded-model/coefficients-file.ts'
import { buildComposites, readDialogues } from './embedded-model/composites.ts'
import { fitModel } from './embedded-model/fit-model.ts'
import {
  documentsOf,
  judgeCase,
  type LabelledCase,
  NO_OPINION,
  PROTECT_RECENT,
} from './embedded-model/labelled-case.ts'
import { readLocomo } from './embedded-model/locomo.ts'
import { matchesOf } from './embedded-model/matches.ts'
import {
  areaUnderCurve,
  byPosition,
  harmAtHalf,
  type JudgedCase,
  keptAt,
  reliability,
  riskBudgetDrops,
} from './embedded-model/measures.ts'
import { dataFolder } from './lib/data-folder.ts'

const HELD_OUT_SEED = 2
const HELD_OUT_ROUNDS = 4
const HELD_OUT_CLOZES = 300

/** Requests that name little or nothing: the model must not drop much for them. */
const VAGUE_REQUESTS = [
  'continue',
  'yes please',
  'do it again',
  'no, the other one',
  'Are you sure? I think that is wrong.',
  'Can you rewrite your last answer in a shorter form?',
  'now rename that variable',
  '继续',
]
const VAGUE_COMPOSITES = 300

/** BM25 of the turn alone, without neighbours: what the model adds to stands beside it. */
function byBm25(labelled: LabelledCase): JudgedCase {
  const query = readQuery(labelled.request)
  const counted = documentsOf(labelled).map((document) => countDocument(document, query))
  return { labelled, scores: [...scoreDocuments(counted, query.size)].slice(0, -PROTECT_RECENT) }
}

async function judgeAll(cases: readonly LabelledCase[]): Promise<JudgedCase[]> {
  const judged: JudgedCase[] = []
  for (const labelled of cases) judged.push({ labelled, scores: await judgeCase(labelled) })
  return judged
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)}%`
}

function isUnanswered({ scores }: JudgedCase): boolean {
  return scores.every((score) => score === NO_OPINION)
}

function printSafety(name: string, cases: readonly JudgedCase[]): void {
  const risk = riskBudgetDrops(cases)
  const unanswered = cases.filter(isUnanswered).length / cases.length
  console.log(
    `${name}: ${cases.length} requests, ${percent(unanswered)} unanswered, area ` +
      `${areaUnderCurve(cases).toFixed(3)}, least-needed half dropped: ${percent(harmAtHalf(cases))} harmed ` +
      `(answered: ${percent(harmAtHalf(cases.filter((one) => !isUnanswered(one))))}); ` +
      `risk budget: ${percent(risk.dropped)} of turns dropped, lost ${risk.expected.toFixed(3)} ` +
      `expected, ${risk.lost.toFixed(3)} observed, ${percent(risk.harmed)} harmed`,
  )
}

function printReliability(cases: readonly JudgedCase[]): void {
  console.log('  predicted, observed, turns:')
  for (const { predicted, observed, count } of reliability(cases)) {
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

/** How much the ranking is worth, by how much the request names. */
function printByNamed(cases: readonly JudgedCase[]): void {
  console.log('  named by the request, requests, area, harmed when the least-needed half goes:')
  const bounds = [0, 0.001, 0.4, 0.8, 1, 1.5, 2, Number.POSITIVE_INFINITY]
  const names = new Map(cases.map((one) => [one, matchesOf(one.labelled).named]))
  for (let index = 0; index + 1 < bounds.length; index += 1) {
    const within = cases.filter((one) => {
      const named = names.get(one) ?? 0
      return named >= bounds[index]! && named < bounds[index + 1]!
    })
    if (within.length === 0) continue
    const area = areaUnderCurve(within).toFixed(3)
    console.log(
      `  from ${bounds[index]}: ${within.length}, ${area}, ${percent(harmAtHalf(within))}`,
    )
  }
}

async function printVague(composites: readonly LabelledCase[]): Promise<void> {
  console.log('\nVague requests in held-out composites: turns dropped by the default rules')
  for (const request of VAGUE_REQUESTS) {
    const cases = composites
      .slice(0, VAGUE_COMPOSITES)
      .map((labelled) => ({ ...labelled, request }))
    const judged = await judgeAll(cases)
    const silent = judged.filter(isUnanswered).length
    const { dropped } = riskBudgetDrops(judged)
    console.log(
      `  ${request.padEnd(52)} ${percent(dropped).padStart(5)}, unanswered in ${percent(silent / judged.length)}`,
    )
  }
}

const folder = dataFolder()
if (folder === undefined) {
  console.error('Set PRECIS_DATA to the folder of real conversations.')
  process.exit(1)
}
const { fit, heldOut } = readDialogues(folder)
console.log(`Fit on ${fit.length} dialogues (${heldOut.length} held out)`)
const fitted = fitModel(fit)
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
const returns = judged.filter(({ labelled }) => labelled.kind === 'return')
printSafety('  return', returns)
printSafety(
  '  stay',
  judged.filter(({ labelled }) => labelled.kind === 'stay'),
)
printReliability(judged)
printByNamed(returns)
const clozes = await judgeAll(buildClozes(heldOut, HELD_OUT_CLOZES, HELD_OUT_SEED))
printSafety('  cloze', clozes)
await printVague(composites)

const questions = readLocomo(folder)
const answered = await judgeAll(questions)
console.log(`\nLoCoMo: needed turns kept / requests with all of them, at 50, 25, 10% of tokens`)
printKept('position', questions.map(byPosition))
printKept('BM25', questions.map(byBm25))
printKept('embedded', answered)
printSafety('  embedded', answered)
printReliability(answered)
