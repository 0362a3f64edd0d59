/** Point 1 of the measurements, through the real interface: POST /compact for each `order`. */
import type { OptionOverrides } from '../../src/engine/options.ts'
import type { JsonValue } from '../../src/engine/transcript.ts'
import type { Context, Measurement } from '../lib/context.ts'
import { WITHOUT_DECIDER } from '../lib/deciders.ts'
import { estimateMean } from '../lib/estimate.ts'
import { groupBy } from '../lib/group-by.ts'
import type { LabelledCase } from '../lib/labelled-case.ts'
import { readLocomo } from '../lib/locomo.ts'
import { sampleOf } from '../lib/random.ts'
import { aim, type Cell, number, percent, type Result, type ResultTable } from '../lib/result.ts'
import {
  type CompactBody,
  countWith,
  type Service,
  startService,
  untouched,
} from '../lib/service.ts'
import { type Kept, keptOf } from './measures/kept-tokens.ts'

const SHARES = [0.5, 0.25, 0.1] as const
const AIMS = [0.97, 0.93, 0.85] as const
/** Questions in the short form; and in the long form those of the ways that nobody gets by default. */
const SHORT_SAMPLE = 16
const SAMPLE = 240
const SAMPLE_SEED = 12

interface Way {
  readonly name: string
  readonly options: OptionOverrides
  /** A second request, without relevance, that brings the first one's answer to its target by age. */
  readonly thenByAge?: boolean
  /** The way that the service goes by itself. */
  readonly isDefault?: boolean
}

const BY_AGE: Way = { name: 'age alone', options: { relevance: { enabled: false } } }

const WAYS: readonly Way[] = [
  {
    name: "seed's oldest-first cap, then truncation by age",
    options: { relevance: { order: 'oldest-first', riskBudget: null } },
  },
  {
    name: 'least-needed-first, cap of half, then truncation by age',
    options: {
      relevance: { order: 'least-needed-first', riskBudget: null },
      truncate: { enabled: false },
    },
    thenByAge: true,
  },
  {
    name: 'least-needed-first, cap of half, then truncation by verdict',
    options: { relevance: { order: 'least-needed-first', riskBudget: null } },
  },
  {
    name: 'oldest-first with risk budget 0.05',
    options: { relevance: { order: 'oldest-first', riskBudget: 0.05 } },
  },
  {
    name: 'least-needed-first, risk budget 0.05, no more than the target needs',
    options: { relevance: { order: 'least-needed-first', riskBudget: 0.05, stopAtTarget: true } },
  },
  { name: 'defaults', options: {}, isDefault: true },
]

export const locomoPipeline: Measurement = { name: 'locomo-pipeline', measure }

async function measure({ data, short, deciders }: Context): Promise<Result> {
  const all = readLocomo(data)
  const questions = short ? sampleOf(all, SHORT_SAMPLE, SAMPLE_SEED) : all
  const sample = sampleOf(questions, SAMPLE, SAMPLE_SEED)
  const rows: { readonly scorer: string; readonly way: Way; readonly runs: readonly Runs[] }[] = []
  const withoutModel = await startService(WITHOUT_DECIDER)
  rows.push({ scorer: 'none', way: BY_AGE, runs: await runAll(withoutModel, sample, BY_AGE) })
  await withoutModel.close()
  for (const { name, environment } of deciders) {
    const service = await startService(environment)
    for (const way of WAYS) {
      rows.push({
        scorer: name,
        way,
        runs: await runAll(service, way.isDefault === true ? questions : sample, way),
      })
    }
    await service.close()
  }
  const defaults = rows.filter(({ way }) => way.isDefault === true)
  return {
    name: 'locomo-pipeline',
    title: 'LoCoMo through POST /compact',
    protocol: `${questions.length} questions, for the ways that are no default ${sample.length} of them, each posted over HTTP with its conversation as chat messages (the first speaker is the user), \`currentRequest\` the question and \`targetTokens\` at 50, 25 and 10% of the conversation's tokens. A turn is kept if its message comes back untouched. "Then by age" posts the answer of stage 0 once more with relevance off.`,
    tables: [keptTable(rows), ...defaults.map(({ scorer, runs }) => stageTable(scorer, runs))],
    aims: defaults.flatMap(({ scorer, runs }) =>
      runs.map(({ share, outcomes }, index) =>
        aim(
          `LoCoMo through POST /compact, ${scorer}: needed turns kept at ${100 * share}%`,
          estimateMean(outcomes.map(({ kept }) => kept.needed)),
          { least: AIMS[index]! },
        ),
      ),
    ),
    plots: [],
  }
}

interface Outcome {
  readonly kept: Kept
  readonly fits: boolean
  /** What stage 0 took of what it asked, and what it reckoned to lose by it. */
  readonly asked: number
  readonly dropped: number
  readonly expected: number
}

interface Runs {
  readonly share: number
  readonly outcomes: readonly Outcome[]
}

async function runAll(
  service: Service,
  questions: readonly LabelledCase[],
  way: Way,
): Promise<Runs[]> {
  const outcomes = SHARES.map((): Outcome[] => [])
  for (const members of groupBy(questions, ({ conversation }) => conversation).values()) {
    const body = bodyOf(members[0]!)
    const tokens = await countWith(service, body)
    for (const labelled of members) {
      for (const [index, share] of SHARES.entries()) {
        const targetTokens = Math.floor(tokens * share)
        outcomes[index]!.push(await run(service, body, labelled, targetTokens, way))
      }
    }
  }
  return SHARES.map((share, index) => ({ share, outcomes: outcomes[index]! }))
}

function bodyOf({ turns }: LabelledCase): CompactBody {
  const messages = turns.map(
    ({ role, speaker, text }): JsonValue => ({
      role,
      content: text,
      ...(speaker !== undefined && { name: speaker }),
    }),
  )
  return { model: 'gpt-4o', format: 'openai-chat', messages }
}

async function run(
  service: Service,
  body: CompactBody,
  labelled: LabelledCase,
  targetTokens: number,
  { options, thenByAge }: Way,
): Promise<Outcome> {
  const request = { ...body, currentRequest: labelled.request, targetTokens, options }
  const first = await service.compact(request)
  let kept = untouched(request, first)
  let last = first
  if (thenByAge === true) {
    // Nothing is inserted by a drop for relevance, so what came back is what was kept, in order.
    const survivors = [...kept]
    const again = { ...body, messages: first.messages, targetTokens, options: BY_AGE.options }
    last = await service.compact(again)
    const stillThere = untouched(again, last)
    kept = new Set(survivors.filter((_, index) => stillThere.has(index)))
  }
  const { asked = 0, dropped = 0, expectedNeededLost = 0 } = first.relevance ?? {}
  return {
    kept: keptOf(labelled.turns, (index) => kept.has(index)),
    fits: last.fits,
    asked,
    dropped,
    expected: expectedNeededLost,
  }
}

function keptTable(
  rows: readonly { readonly scorer: string; readonly way: Way; readonly runs: readonly Runs[] }[],
): ResultTable {
  return {
    title: 'Needed turns kept by the whole pipeline, and questions that keep all of them',
    columns: [
      'decide model',
      'way',
      'questions',
      ...SHARES.flatMap((share) => [`kept at ${100 * share}%`, `all at ${100 * share}%`]),
      'fits',
    ],
    rows: rows.map(({ scorer, way, runs }): Cell[] => [
      scorer,
      way.name,
      number(runs[0]!.outcomes.length),
      ...runs.flatMap(({ outcomes }) => [
        percent(estimateMean(outcomes.map(({ kept }) => kept.needed))),
        percent(meanOf(outcomes, ({ kept }) => (kept.complete ? 1 : 0))),
      ]),
      percent(
        meanOf(
          runs.flatMap(({ outcomes }) => outcomes),
          ({ fits }) => (fits ? 1 : 0),
        ),
      ),
    ]),
  }
}

/** What stage 0 took before truncation, so that it shows how much of the work each of them did. */
function stageTable(scorer: string, runs: readonly Runs[]): ResultTable {
  return {
    isDetail: true,
    title: `${scorer}, defaults: what stage 0 itself drops`,
    columns: ['target', 'of the judged turns', 'needed turns lost, expected'],
    rows: runs.map(({ share, outcomes }) => [
      `${100 * share}%`,
      percent(meanOf(outcomes, ({ dropped, asked }) => (asked === 0 ? 0 : dropped / asked))),
      number(meanOf(outcomes, ({ expected }) => expected)),
    ]),
  }
}

function meanOf<T>(items: readonly T[], read: (item: T) => number): number {
  return items.reduce((sum, item) => sum + read(item), 0) / items.length
}
