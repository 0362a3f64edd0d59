/** Point 2 of the measurements: follow-ups, returns to an earlier topic, and requests that name nothing. */
import { judgeByBm25 } from '../lib/bm25.ts'
import type { Context, Measurement, NamedDecider } from '../lib/context.ts'
import { readHeldOutDialogues } from '../lib/dialogues.ts'
import { estimateMean } from '../lib/estimate.ts'
import { judgeCases } from '../lib/judge-case.ts'
import type { JudgedCase, LabelledCase } from '../lib/labelled-case.ts'
import { judgeByPosition } from '../lib/position.ts'
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
import { reliabilityPlot } from '../plots/reliability-plot.ts'
import { buildComposites, type CompositeKind } from './build-composites.ts'
import { reliability } from './measures/calibration.ts'
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

const KINDS = [
  { kind: 'return', seed: 21, mostHarmed: 0.12 },
  { kind: 'stay', seed: 22, mostHarmed: 0.01 },
] as const satisfies readonly { kind: CompositeKind; seed: number; mostHarmed: number }[]
const ROUNDS = 3
const SAMPLE = 100
const SAMPLE_SEED = 23
const VAGUE_SAMPLE = 150

/** Requests that name nothing which a search could go by. */
const VAGUE_REQUESTS = [
  'continue',
  'yes',
  'ok thanks',
  'go on',
  'do it again',
  'no, the other one',
  'now rename that variable',
  'Can you explain more?',
  'why?',
  'weiter',
  '继续',
] as const

export const composites: Measurement = { name: 'composites', measure }

async function measure({ data, short, deciders }: Context): Promise<Result> {
  const { dialogues, fitted } = readHeldOutDialogues(data)
  const sets = KINDS.map(({ kind, seed, mostHarmed }) => {
    const all = buildComposites(dialogues, kind, short ? 1 : ROUNDS, seed)
    return { kind, mostHarmed, cases: short ? sampleOf(all, SAMPLE, SAMPLE_SEED) : all }
  })
  const tables: ResultTable[] = []
  const aims: Aim[] = []
  const curves: { name: string; cases: readonly JudgedCase[] }[] = []
  for (const { kind, mostHarmed, cases } of sets) {
    const rows = []
    for (const { name, decide } of deciders) {
      const judged = await judgeCases(decide, cases)
      rows.push(...safetyRows(name, judged))
      if (judged.some(hasNoOpinion)) {
        rows.push(rankingRow(`${name}; by age where it has no opinion`, byAgeWhereSilent(judged)))
      }
      curves.push({ name: `${kind}, ${name}`, cases: judged })
      aims.push(...aimsOf(kind, name, judged, mostHarmed))
    }
    rows.push(rankingRow('BM25 alone', cases.map(judgeByBm25)))
    rows.push(rankingRow('position', cases.map(judgeByPosition)))
    tables.push(safetyTable(`${kind}: ${cases.length} requests`, rows))
  }
  tables.push(...curves.map(({ name, cases }) => reliabilityTable(name, cases)))
  for (const decider of deciders) {
    for (const { kind, cases } of sets) {
      const some = sampleOf(cases, short ? SAMPLE / 4 : VAGUE_SAMPLE, SAMPLE_SEED)
      tables.push(await vagueTable(decider, kind, some))
    }
  }
  return {
    name: 'composites',
    title: 'Follow-ups and returns (MT-Bench-101 composites)',
    protocol: `One dialogue among 3 to 42 others; its last user turn is the request, its earlier turns are needed. In a return it lies anywhere, in a stay it is the newest. All ${dialogues.length} dialogues are held out: none of them is among the ${fitted} that the embedded model was fitted on, and no composite mixes the two. The 6 newest turns are never judged. Intervals are bootstraps over requests.`,
    tables,
    aims,
    plots: [
      reliabilityPlot(
        'composites-reliability',
        'Held-out composites: reliability',
        curves.map(({ name, cases }) => ({ name, bins: reliability(cases, 2) })),
      ),
    ],
  }
}

function aimsOf(kind: string, name: string, cases: readonly JudgedCase[], most: number): Aim[] {
  const budget = safetyOf(cases, RISK_BUDGET_ALONE)
  const what = `Composites, ${name}, ${kind}: harmed when the least-needed half goes`
  return [
    aim(what, safetyOf(cases, LEAST_NEEDED_HALF).harmed, { most }),
    aim(
      `${what}, the oldest half where it has no opinion`,
      safetyOf(byAgeWhereSilent(cases), LEAST_NEEDED_HALF).harmed,
      { most },
    ),
    {
      what: `Composites, ${name}, ${kind}: needed turns lost per request with risk budget 0.05, observed (expected ${budget.expected.value.toFixed(3)})`,
      aim: 'within a factor of 2',
      measured: number(budget.lost),
      met: isWithinFactorTwo(budget),
    },
  ]
}

/** What a request that names nothing does: an honest model has no opinion, and drops nothing. */
async function vagueTable(
  { name, decide }: NamedDecider,
  kind: CompositeKind,
  cases: readonly LabelledCase[],
): Promise<ResultTable> {
  const rows: Cell[][] = []
  for (const request of VAGUE_REQUESTS) {
    const judged = await judgeCases(
      decide,
      cases.map((labelled) => ({ ...labelled, request })),
    )
    const { dropped, harmed } = safetyOf(judged, { ...RISK_BUDGET_ALONE, maxRatio: 0.5 })
    rows.push([
      request,
      percent(estimateMean(judged.map((one) => (hasNoOpinion(one) ? 1 : 0)))),
      percent(dropped.value),
      percent(harmed),
    ])
  }
  return {
    title: `${name}: requests that name nothing, in ${cases.length} conversations where a ${kind} was asked`,
    columns: ['request', 'no opinion of any turn', 'turns dropped by the defaults', 'harmed'],
    rows,
    note: 'Harmed: a turn goes that the dialogue the request stands in place of holds.',
  }
}

/**
 * A model that has no opinion lets nothing go, and so harms nobody. Where half has to go all the same,
 * truncation takes the oldest: the scores that stand for that, so that half goes of every request.
 */
export function byAgeWhereSilent(cases: readonly JudgedCase[]): JudgedCase[] {
  return cases.map((one) => (hasNoOpinion(one) ? judgeByPosition(one.labelled) : one))
}

/** Left unanswered, or answered with a coin: neither says anything of a turn. */
export function hasNoOpinion({ scores }: JudgedCase): boolean {
  return scores.every((score) => score === undefined || score === 0.5)
}
