/** Point 1 of the measurements: LoCoMo through the decide port. */
import { judgeByBm25 } from '../lib/bm25.ts'
import type { Context, Measurement } from '../lib/context.ts'
import { type Estimate, estimateMean } from '../lib/estimate.ts'
import { groupBy } from '../lib/group-by.ts'
import { judgeCases } from '../lib/judge-case.ts'
import type { JudgedCase, LabelledCase } from '../lib/labelled-case.ts'
import { readLocomo } from '../lib/locomo.ts'
import { judgeByFirstAndPosition, judgeByPosition } from '../lib/position.ts'
import { sampleOf } from '../lib/random.ts'
import {
  type Aim,
  aim,
  type Cell,
  number,
  percent,
  type Result,
  type ResultTable,
} from '../lib/result.ts'
import { recallPlot } from '../plots/recall-plot.ts'
import { reliabilityPlot } from '../plots/reliability-plot.ts'
import { areaUnderCurve } from './measures/area-under-curve.ts'
import { reliability } from './measures/calibration.ts'
import { keptTokens } from './measures/kept-tokens.ts'
import { reliabilityTable } from './reliability-tables.ts'
import {
  isWithinFactorTwo,
  LEAST_NEEDED_HALF,
  RISK_BUDGET_ALONE,
  rankingRow,
  safetyOf,
  safetyRows,
  safetyTable,
} from './safety-table.ts'

const SHARES = [0.5, 0.25, 0.1] as const
const CURVE = [0.05, 0.1, 0.15, 0.25, 0.35, 0.5, 0.75] as const
const SAMPLE = 120
const SAMPLE_SEED = 11

/** What is aimed at, and what it must not be under: the study's figures for a model of this kind. */
const KEPT_AIMS = [
  { share: 0.5, aimed: 0.98, least: 0.975 },
  { share: 0.25, aimed: 0.95, least: 0.935 },
  { share: 0.1, aimed: 0.88, least: 0.86 },
] as const

interface Scored {
  readonly name: string
  readonly cases: readonly JudgedCase[]
}

export const locomo: Measurement = { name: 'locomo', measure }

async function measure({ data, short, deciders }: Context): Promise<Result> {
  const all = readLocomo(data)
  const questions = short ? sampleOf(all, SAMPLE, SAMPLE_SEED) : all
  const models: Scored[] = []
  for (const { name, decide } of deciders) {
    models.push({ name, cases: await judgeCases(decide, questions) })
  }
  const rankings: Scored[] = [
    { name: 'BM25 alone', cases: questions.map(judgeByBm25) },
    { name: 'position', cases: questions.map(judgeByPosition) },
    { name: 'first and latest', cases: questions.map(judgeByFirstAndPosition) },
  ]
  return {
    name: 'locomo',
    title: 'LoCoMo through the decide port',
    protocol: `${questions.length} questions on ${countConversations(questions)} conversations; the request is the question, the turns that answer it are what it needs; the 6 newest turns are never judged; tokens are ceil(characters / 4) + 4. "Kept" fills the share of the tokens greedily, best score first. Intervals are bootstraps over questions.`,
    tables: [
      keptTable([...models, ...rankings]),
      safetyTable('What each rule drops and loses', [
        ...models.flatMap(({ name, cases }) => safetyRows(name, cases)),
        ...rankings.map(({ name, cases }) => rankingRow(name, cases)),
      ]),
      ...models.flatMap(({ name, cases }) => [
        byConversation(name, cases),
        reliabilityTable(`LoCoMo, ${name}`, cases),
      ]),
    ],
    aims: models.flatMap(aimsOf),
    plots: [
      recallPlot(
        'locomo-recall',
        'LoCoMo: needed turns kept',
        [...models, ...rankings].map(({ name, cases }) => ({
          name,
          points: CURVE.map((share) => ({ share, kept: keptAt(cases, share).needed.value })),
        })),
      ),
      reliabilityPlot(
        'locomo-reliability',
        'LoCoMo: reliability',
        models.map(({ name, cases }) => ({ name, bins: reliability(cases, 2) })),
      ),
    ],
  }
}

function keptAt(
  cases: readonly JudgedCase[],
  share: number,
): { needed: Estimate; complete: Estimate } {
  const kept = cases.map((one) => keptTokens(one, share))
  return {
    needed: estimateMean(kept.map(({ needed }) => needed)),
    complete: estimateMean(kept.map(({ complete }) => (complete ? 1 : 0))),
  }
}

function keptTable(scored: readonly Scored[]): ResultTable {
  return {
    title: 'Needed turns kept, and questions that keep all of them',
    columns: [
      'scores',
      ...SHARES.flatMap((share) => [`kept at ${100 * share}%`, `all at ${100 * share}%`]),
      'area under the curve',
    ],
    rows: scored.map(({ name, cases }): Cell[] => [
      name,
      ...SHARES.flatMap((share) => {
        const { needed, complete } = keptAt(cases, share)
        return [percent(needed), percent(complete.value)]
      }),
      number(meanArea(cases)),
    ]),
  }
}

function meanArea(cases: readonly JudgedCase[]): number {
  const areas = cases.flatMap((one) => areaUnderCurve(one) ?? [])
  return areas.reduce((sum, area) => sum + area, 0) / areas.length
}

/** Questions on one conversation resemble each other: how far the conversations lie apart. */
function byConversation(name: string, cases: readonly JudgedCase[]): ResultTable {
  const groups = groupBy(cases, ({ labelled }) => labelled.conversation)
  return {
    isDetail: true,
    title: `LoCoMo, ${name}: by conversation`,
    columns: [
      'conversation',
      'questions',
      'kept at 50%',
      '25%',
      '10%',
      'least-needed half: harmed',
    ],
    rows: [...groups].map(([conversation, members]) => [
      conversation,
      number(members.length),
      ...SHARES.map((share) => percent(keptAt(members, share).needed.value)),
      percent(safetyOf(members, LEAST_NEEDED_HALF).harmed.value),
    ]),
  }
}

function aimsOf({ name, cases }: Scored): Aim[] {
  const budget = safetyOf(cases, RISK_BUDGET_ALONE)
  const half = safetyOf(cases, LEAST_NEEDED_HALF)
  return [
    ...KEPT_AIMS.flatMap(({ share, aimed, least }) => {
      const { needed } = keptAt(cases, share)
      const what = `LoCoMo, ${name}: needed turns kept at ${100 * share}%`
      return [aim(what, needed, { least: aimed }), aim(`${what}, the floor`, needed, { least })]
    }),
    aim(`LoCoMo, ${name}: harmed when the least-needed half goes`, half.harmed, { most: 0.035 }),
    aim(`LoCoMo, ${name}: the same, the ceiling`, half.harmed, { most: 0.05 }),
    aim(`LoCoMo, ${name}: turns dropped with risk budget 0.05`, budget.dropped, { least: 0.5 }),
    aim(`LoCoMo, ${name}: harmed with risk budget 0.05`, budget.harmed, { most: 0.035 }),
    {
      what: `LoCoMo, ${name}: needed turns lost per request with risk budget 0.05, observed (expected ${budget.expected.value.toFixed(3)})`,
      aim: 'within a factor of 2',
      measured: number(budget.lost),
      met: isWithinFactorTwo(budget),
    },
  ]
}

function countConversations(cases: readonly LabelledCase[]): number {
  return new Set(cases.map(({ conversation }) => conversation)).size
}
