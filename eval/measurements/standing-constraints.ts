/** Point 4 of the measurements: whether a rule of the user survives all stages at a quarter of the tokens. */
import type { ProfileName } from '../../src/engine/options.ts'
import type { Context, Measurement } from '../lib/context.ts'
import { WITHOUT_DECIDER } from '../lib/deciders.ts'
import { estimateMean } from '../lib/estimate.ts'
import { groupBy } from '../lib/group-by.ts'
import { type Cell, number, percent, type Result, type ResultTable } from '../lib/result.ts'
import { countWith, type Service, startService } from '../lib/service.ts'
import {
  ARRANGEMENTS,
  buildConstrainedSession,
  CONSTRAINTS,
  FORMS,
  type Form,
} from './constraints/build-session.ts'
import { createExtractiveSummarizer, SUMMARIZERS } from './constraints/extractive-summarizer.ts'
import { textsOf } from './planted-facts.ts'

const TOKENS = 12_000
const SHARE = 0.25
const ROUNDS = 2
const FIRST_SEED = 51
const PROFILES = ['neurolink', 'agent', 'rubyn'] as const satisfies readonly ProfileName[]

interface Trial {
  readonly decider: string
  readonly summarizer: string
  readonly form: Form
  readonly profile: ProfileName
  readonly arrangement: string
  readonly survived: boolean
  /** Only what was written for the summary holds it. */
  readonly onlyInSummary: boolean
  readonly summarized: boolean
}

export const standingConstraints: Measurement = { name: 'standing-constraints', measure }

async function measure({ short, deciders }: Context): Promise<Result> {
  const rounds = short ? 1 : ROUNDS
  const constraints = short ? CONSTRAINTS.slice(0, 3) : CONSTRAINTS
  const trials: Trial[] = []
  for (const { name, environment } of [
    ...deciders,
    { name: 'none', environment: WITHOUT_DECIDER },
  ]) {
    for (const summarizer of ['none', ...SUMMARIZERS] as const) {
      const service = await startService(
        environment,
        summarizer === 'none' ? undefined : createExtractiveSummarizer(summarizer),
      )
      for (let round = 0; round < rounds; round += 1) {
        for (const [index, constraint] of constraints.entries()) {
          const seed = FIRST_SEED + round * constraints.length + index
          for (const form of FORMS) {
            const found = await tryConstraint(service, form, constraint, seed)
            trials.push(...found.map((trial) => ({ ...trial, decider: name, summarizer })))
          }
        }
      }
      await service.close()
    }
  }
  return {
    name: 'standing-constraints',
    title: 'Standing constraints',
    protocol: `${constraints.length} rules ("${CONSTRAINTS[0]}", "${CONSTRAINTS[1]}" and such) in ${rounds} generated conversations each of about ${TOKENS} tokens in two forms (an agent session, most of it tool output, and talk, all of it prose), set at several places and repetitions; the last message is a task that does not speak of them. Posted over HTTP at ${100 * SHARE}% of the tokens. Survived: the rule comes back verbatim, in a message or in the summary. The summarisers extract sentences and are no language models: \`frequency\` takes those whose words are the commonest (SumBasic); \`rule-quoting\` also quotes the user's sentences that hold a word of obligation, as the service's prompt asks of a model.`,
    tables: [summaryTable(trials), placeTable(trials)],
    aims: [],
    plots: [],
  }
}

async function tryConstraint(
  service: Service,
  form: Form,
  constraint: string,
  seed: number,
): Promise<Omit<Trial, 'decider' | 'summarizer'>[]> {
  const found = []
  for (const arrangement of ARRANGEMENTS) {
    const messages = buildConstrainedSession(form, TOKENS, constraint, arrangement, seed)
    const body = { model: 'gpt-4o', format: 'openai-chat', messages }
    const targetTokens = Math.floor(SHARE * (await countWith(service, body)))
    for (const profile of PROFILES) {
      const answer = await service.compact({ ...body, profile, targetTokens })
      const inserted = new Set(
        answer.actions.filter(({ reason }) => reason === 'summary').map(({ index }) => index),
      )
      const holding = textsOf(answer.messages).filter((text) => text.includes(constraint))
      const posted = new Set(messages.map(({ content }) => content))
      found.push({
        form,
        profile,
        arrangement: arrangement.name,
        survived: holding.length > 0,
        onlyInSummary: holding.length > 0 && holding.every((text) => !posted.has(text)),
        summarized: inserted.size > 0,
      })
    }
  }
  return found
}

function summaryTable(trials: readonly Trial[]): ResultTable {
  const rows = groupBy(trials, ({ decider, summarizer, form, profile }) =>
    [decider, summarizer, form, profile].join('|'),
  )
  return {
    title: 'Survival, over all places',
    columns: [
      'decide model',
      'summariser',
      'conversation',
      'profile',
      'trials',
      'survived',
      'only in the summary',
      'a summary was written',
    ],
    rows: [...rows.values()].map((members): Cell[] => {
      const { decider, summarizer, form, profile } = members[0]!
      return [
        decider,
        summarizer,
        form,
        profile,
        number(members.length),
        percent(shareOf(members, ({ survived }) => survived)),
        percent(shareOf(members, ({ onlyInSummary }) => onlyInSummary).value),
        percent(shareOf(members, ({ summarized }) => summarized).value),
      ]
    }),
  }
}

function placeTable(trials: readonly Trial[]): ResultTable {
  const rows = groupBy(trials, ({ decider, summarizer, form }) =>
    [decider, summarizer, form].join('|'),
  )
  return {
    title: 'Survival by place, over all profiles',
    columns: [
      'decide model',
      'summariser',
      'conversation',
      ...ARRANGEMENTS.map(({ name }) => name),
    ],
    rows: [...rows.values()].map((members): Cell[] => [
      members[0]!.decider,
      members[0]!.summarizer,
      members[0]!.form,
      ...ARRANGEMENTS.map(({ name }) =>
        percent(
          shareOf(
            members.filter(({ arrangement }) => arrangement === name),
            ({ survived }) => survived,
          ),
        ),
      ),
    ]),
  }
}

function shareOf(trials: readonly Trial[], holds: (trial: Trial) => boolean) {
  return estimateMean(trials.map((trial) => (holds(trial) ? 1 : 0)))
}
