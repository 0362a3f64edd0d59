/** Point 3 of the measurements: what was planted in an agent session and is asked for at its end. */
import { PROFILE_NAMES, type ProfileName } from '../../src/engine/options.ts'
import type { JsonValue } from '../../src/engine/transcript.ts'
import type { Context, Measurement } from '../lib/context.ts'
import { WITHOUT_DECIDER } from '../lib/deciders.ts'
import { type Estimate, estimateRatio } from '../lib/estimate.ts'
import { groupBy } from '../lib/group-by.ts'
import {
  type Aim,
  aim,
  type Cell,
  number,
  percent,
  type Result,
  type ResultTable,
} from '../lib/result.ts'
import { type CompactBody, countWith, type Service, startService } from '../lib/service.ts'
import { buildPlantedSession, type PlantedSession } from './planted/build-session.ts'
import { type Plant, WORDINGS, type Wording } from './planted/plants.ts'

const SIZES = [12_000, 60_000] as const
const SHARES = [0.5, 0.25] as const
const SESSIONS = 8
const FIRST_SEED = 31
const HOWS = ['one at a time', 'all at once'] as const

/** One planted thing, asked for once. */
interface Trial {
  readonly decider: string
  readonly profile: ProfileName
  readonly size: number
  readonly share: number
  readonly session: number
  readonly how: (typeof HOWS)[number]
  readonly wording: Wording
  readonly plant: Plant
  readonly kept: boolean
  readonly fits: boolean
}

export const plantedFacts: Measurement = { name: 'planted-facts', measure }

async function measure({ short, deciders }: Context): Promise<Result> {
  const sizes = short ? SIZES.slice(0, 1) : SIZES
  const sessions = short ? 2 : SESSIONS
  const trials: Trial[] = []
  const all = [...deciders, { name: 'none', environment: WITHOUT_DECIDER }]
  for (const { name, environment } of all) {
    const service = await startService(environment)
    for (const size of sizes) {
      for (let session = 0; session < sessions; session += 1) {
        const built = buildPlantedSession(size, FIRST_SEED + session)
        const found = await trySession(service, built, name !== 'none')
        trials.push(...found.map((trial) => ({ ...trial, decider: name, size, session })))
      }
    }
    await service.close()
  }
  return {
    name: 'planted-facts',
    title: 'Planted facts in agent sessions',
    protocol: `${sessions} generated sessions each of about ${sizes.join(' and ')} tokens, in openai-chat form with tool calls: three facts (said by the user, by the assistant, by a tool), two constraints, two corrections and an error message between 5 and 80% of the length, among noise of the same vocabulary. The last message asks for one of them or for all, in the words of the text or in other words. Kept: the text comes back verbatim in some message. Posted over HTTP with each profile. Intervals are bootstraps over sessions.`,
    tables: [profileTable(trials), kindTable(trials)],
    aims: deciders.flatMap(({ name }) => aimsOf(name, trials)),
    plots: [],
  }
}

type Found = Omit<Trial, 'decider' | 'size' | 'session'>

/** Without a decide model the question changes nothing, so that one way of asking is enough. */
async function trySession(
  service: Service,
  { messages, plants }: PlantedSession,
  isJudged: boolean,
): Promise<Found[]> {
  const found: Found[] = []
  for (const how of isJudged ? HOWS : (['all at once'] as const)) {
    for (const wording of isJudged ? WORDINGS : WORDINGS.slice(0, 1)) {
      const groups = how === 'one at a time' ? plants.map((plant) => [plant]) : [plants]
      for (const asked of groups) {
        const request = asked.map((plant) => plant.asked[wording]).join('\n')
        const body = {
          model: 'gpt-4o',
          format: 'openai-chat',
          messages: [...messages, ask(request)],
        }
        found.push(...(await tryBody(service, body, asked, { how, wording })))
      }
    }
  }
  return found
}

async function tryBody(
  service: Service,
  body: CompactBody,
  asked: readonly Plant[],
  manner: Pick<Trial, 'how' | 'wording'>,
): Promise<Found[]> {
  const tokens = await countWith(service, body)
  const found: Found[] = []
  for (const profile of PROFILE_NAMES) {
    for (const share of SHARES) {
      const targetTokens = Math.floor(tokens * share)
      const answer = await service.compact({ ...body, profile, targetTokens })
      const texts = textsOf(answer.messages.slice(0, -1))
      for (const plant of asked) {
        const kept = texts.some((text) => text.includes(plant.text))
        found.push({ ...manner, profile, share, plant, kept, fits: answer.fits })
      }
    }
  }
  return found
}

function ask(request: string): JsonValue {
  return { role: 'user', content: request }
}

/** Contents of chat messages, where they are plain text. */
export function textsOf(messages: readonly JsonValue[]): string[] {
  return messages.flatMap((message) => {
    const content = (message as { readonly content?: JsonValue }).content
    return typeof content === 'string' ? [content] : []
  })
}

function keptOf(trials: readonly Trial[]): Estimate {
  const bySession = groupBy(trials, ({ size, session }) => `${size}-${session}`)
  return estimateRatio(
    [...bySession.values()].map((members) => ({
      part: members.filter(({ kept }) => kept).length,
      whole: members.length,
    })),
  )
}

function profileTable(trials: readonly Trial[]): ResultTable {
  const rows = groupBy(trials, ({ decider, profile, how, wording }) =>
    [decider, profile, how, wording].join('|'),
  )
  const cells = [...new Set(trials.map(({ size }) => size))].flatMap((size) =>
    SHARES.map((share) => ({ size, share })),
  )
  return {
    title: 'Share kept verbatim, by profile',
    columns: [
      'decide model',
      'profile',
      'asked for',
      'in',
      ...cells.map(({ size, share }) => `${size / 1_000}k tokens at ${100 * share}%`),
      'fits',
    ],
    rows: [...rows.values()].map((members): Cell[] => {
      const { decider, profile, how, wording } = members[0]!
      const isJudged = decider !== 'none'
      return [
        decider,
        profile,
        isJudged ? how : 'either way',
        isJudged ? wording : 'any words',
        ...cells.map(({ size, share }) =>
          percent(keptOf(members.filter((one) => one.size === size && one.share === share))),
        ),
        percent(members.filter(({ fits }) => fits).length / members.length),
      ]
    }),
  }
}

/** With `agent`, over all ways of asking: which kinds are lost. */
function kindTable(trials: readonly Trial[]): ResultTable {
  const rows = groupBy(
    trials.filter(({ profile }) => profile === 'agent'),
    ({ decider, plant }) => [decider, plant.kind, plant.by].join('|'),
  )
  return {
    isDetail: true,
    title: 'Share kept verbatim with `agent`, by kind, over all sizes and ways of asking',
    columns: [
      'decide model',
      'kind',
      'said by',
      'trials',
      ...SHARES.map((one) => `at ${100 * one}%`),
    ],
    rows: [...rows.values()].map((members): Cell[] => [
      members[0]!.decider,
      members[0]!.plant.kind,
      members[0]!.plant.by,
      number(members.length / SHARES.length),
      ...SHARES.map((share) => percent(keptOf(members.filter((one) => one.share === share)))),
    ]),
  }
}

function aimsOf(decider: string, trials: readonly Trial[]): Aim[] {
  const own = trials.filter((one) => one.decider === decider && one.profile === 'agent')
  return SHARES.flatMap((share) =>
    HOWS.flatMap((how) =>
      WORDINGS.map((wording) =>
        aim(
          `Planted facts, ${decider}, agent, asked for ${how} in ${wording}: kept verbatim at ${100 * share}%`,
          keptOf(
            own.filter((one) => one.share === share && one.how === how && one.wording === wording),
          ),
          { least: 1 },
        ),
      ),
    ),
  )
}
