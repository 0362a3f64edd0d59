/** What goes under each rule, and what that loses: one row per scorer and rule. */
import { type Estimate, estimateMean, estimateRatio } from '../lib/estimate.ts'
import type { JudgedCase } from '../lib/labelled-case.ts'
import { type Cell, number, percent, type ResultTable } from '../lib/result.ts'
import { applyPolicy, type DropPolicy } from './measures/drop-policy.ts'

/** A "no" of the default confidence 0.6, as P(needed). */
const BAR = 0.2
const HALF = 0.5
const RISK_BUDGET = 0.05

/** The least-needed half, whatever the probabilities say: what a ranking alone is worth. */
export const LEAST_NEEDED_HALF: DropPolicy = { maxRatio: HALF, order: 'least-needed-first' }

export const RISK_BUDGET_ALONE: DropPolicy = {
  maxProbability: BAR,
  riskBudget: RISK_BUDGET,
  order: 'least-needed-first',
}

/** Rules for a scorer that gives probabilities. */
export const POLICIES: readonly { readonly name: string; readonly policy: DropPolicy }[] = [
  { name: 'least-needed half', policy: LEAST_NEEDED_HALF },
  {
    name: "seed's cap: confident no, at most half, oldest first",
    policy: { maxProbability: BAR, maxRatio: HALF, order: 'oldest-first' },
  },
  {
    name: 'confident no, at most half, least needed first',
    policy: { maxProbability: BAR, maxRatio: HALF, order: 'least-needed-first' },
  },
  { name: 'confident no, risk budget 0.05', policy: RISK_BUDGET_ALONE },
  {
    name: 'default: confident no, at most half, risk budget 0.05',
    policy: { ...RISK_BUDGET_ALONE, maxRatio: HALF },
  },
  {
    name: 'confident no, risk budget 0.1',
    policy: { ...RISK_BUDGET_ALONE, riskBudget: 0.1 },
  },
]

export interface Safety {
  /** Share of the requests that lose a needed turn. */
  readonly harmed: Estimate
  /** Share of the judged turns that go. */
  readonly dropped: Estimate
  readonly droppedTokens: Estimate
  /** Needed turns lost per request. */
  readonly expected: Estimate
  readonly lost: Estimate
}

export function safetyOf(cases: readonly JudgedCase[], policy: DropPolicy): Safety {
  const each = cases.map((one) => applyPolicy(one, policy))
  return {
    harmed: estimateMean(each.map(({ lost }) => (lost > 0 ? 1 : 0))),
    dropped: estimateRatio(each.map(({ dropped, judged }) => ({ part: dropped, whole: judged }))),
    droppedTokens: estimateRatio(
      each.map(({ droppedTokens, tokens }) => ({ part: droppedTokens, whole: tokens })),
    ),
    expected: estimateMean(each.map(({ expected }) => expected)),
    lost: estimateMean(each.map(({ lost }) => lost)),
  }
}

export interface SafetyRow {
  readonly scorer: string
  readonly rule: string
  readonly safety: Safety
  /** Whether the scores are probabilities, so that their sum means something. */
  readonly isProbability: boolean
}

export function safetyRows(scorer: string, cases: readonly JudgedCase[]): SafetyRow[] {
  return POLICIES.map(({ name, policy }) => ({
    scorer,
    rule: name,
    safety: safetyOf(cases, policy),
    isProbability: true,
  }))
}

/** A scorer that only ranks has the first rule alone. */
export function rankingRow(scorer: string, cases: readonly JudgedCase[]): SafetyRow {
  return {
    scorer,
    rule: 'least-needed half',
    safety: safetyOf(cases, LEAST_NEEDED_HALF),
    isProbability: false,
  }
}

export function safetyTable(title: string, rows: readonly SafetyRow[]): ResultTable {
  return {
    title,
    columns: [
      'scores',
      'what goes',
      'requests harmed',
      'turns dropped',
      'tokens dropped',
      'needed turns lost per request, expected',
      'observed',
    ],
    rows: rows.map(({ scorer, rule, safety, isProbability }): Cell[] => [
      scorer,
      rule,
      percent(safety.harmed),
      percent(safety.dropped.value),
      percent(safety.droppedTokens.value),
      isProbability ? number(safety.expected.value) : '',
      number(safety.lost),
    ]),
  }
}

/** Expected and observed losses within a factor of two, where there is a loss to speak of. */
export function isWithinFactorTwo({ expected, lost }: Safety): boolean {
  return lost.value <= 2 * expected.value && expected.value <= 2 * lost.value
}
