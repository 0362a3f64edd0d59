/** What is planted in a session, and what is asked for it at the end. */
import type { RandomStream } from '../../lib/random.ts'

export type PlantKind = 'fact' | 'constraint' | 'correction' | 'error message'

export interface Plant {
  readonly kind: PlantKind
  /** Who says it. What a tool says stands as one line among others of a result. */
  readonly by: 'user' | 'assistant' | 'tool'
  /** What must come back as it is. */
  readonly text: string
  /** Something said before that it replaces; nobody needs it any more. */
  readonly superseded?: string
  /** The question in the words of the text, and in other words. */
  readonly asked: Readonly<Record<Wording, string>>
}

export const WORDINGS = ['same words', 'other words'] as const
export type Wording = (typeof WORDINGS)[number]

type Maker = (service: string, random: RandomStream) => Plant

/** One of each: every session holds them all, about different services. */
export const PLANT_MAKERS: readonly Maker[] = [
  (service, random) => ({
    kind: 'fact',
    by: 'user',
    text: `For later: the staging database of ${service} listens on port ${fiveDigits(random)}.`,
    asked: {
      'same words': `Which port does the staging database of ${service} listen on?`,
      'other words': `How do I connect to the data store of ${service} in the test environment?`,
    },
  }),
  (service, random) => ({
    kind: 'fact',
    by: 'assistant',
    text: `I checked: the ${service} image is pinned to release ${threeParts(random)}.`,
    asked: {
      'same words': `To which release is the ${service} image pinned?`,
      'other words': `What exactly gets deployed for ${service} today?`,
    },
  }),
  (service, random) => ({
    kind: 'fact',
    by: 'tool',
    text: `  "${service}.owner": "${random.pick(NAMES)} <${random.pick(TEAMS)}-${fiveDigits(random)}@example.com>",`,
    asked: {
      'same words': `Who is the owner of ${service} in its configuration?`,
      'other words': `Whom do I write to about ${service}?`,
    },
  }),
  (service, random) => ({
    kind: 'constraint',
    by: 'user',
    text: `Never touch the migrations folder db/${service}/${fiveDigits(random)}: the operations team applies those by hand.`,
    asked: {
      'same words': `Which migrations folder of ${service} must you never touch?`,
      'other words': `What is off limits while you tidy up ${service}?`,
    },
  }),
  (service, random) => ({
    kind: 'constraint',
    by: 'user',
    text: `Every public function of ${service} must keep the prefix "x${fiveDigits(random)}_", partners depend on it.`,
    asked: {
      'same words': `Which prefix must every public function of ${service} keep?`,
      'other words': `How do I have to name the new exports of ${service}?`,
    },
  }),
  (service, random) => {
    const [before, after] = [100 + random.below(400), 500 + random.below(400)]
    return {
      kind: 'correction',
      by: 'user',
      superseded: `The retry limit of ${service} is ${before}.`,
      text: `Correction: the retry limit of ${service} is ${after}, not ${before} as I said.`,
      asked: {
        'same words': `What is the retry limit of ${service}?`,
        'other words': `How many times may ${service} try again before it gives up?`,
      },
    }
  },
  (service, random) => {
    const [before, after] = [random.pick(NAMES), fiveDigits(random)]
    return {
      kind: 'correction',
      by: 'user',
      superseded: `Reviews for ${service} go to ${before}.`,
      text: `I was wrong about the reviews for ${service}: they go to the group rota-${after}, no longer to ${before}.`,
      asked: {
        'same words': `Where do reviews for ${service} go?`,
        'other words': `Who has to approve my pull request in ${service}?`,
      },
    }
  },
  (service, random) => ({
    kind: 'error message',
    by: 'tool',
    text: `Error: ECONNREFUSED 10.0.${random.below(250)}.${random.below(250)}:${fiveDigits(random)} while ${service} ran step ${fiveDigits(random)}_add_invites`,
    asked: {
      'same words': `What was the exact ECONNREFUSED error while ${service} ran add_invites?`,
      'other words': `What did the failed run of ${service} print?`,
    },
  }),
]

const NAMES = [
  'Ilse Okafor',
  'Tomas Brandt',
  'Mei Lindqvist',
  'Aurelio Costa',
  'Dana Whitlock',
] as const
const TEAMS = ['payments', 'platform', 'storefront', 'data'] as const

function fiveDigits(random: RandomStream): string {
  return String(10_000 + random.below(90_000))
}

function threeParts(random: RandomStream): string {
  return `${1 + random.below(9)}.${random.below(40)}.${10_000 + random.below(90_000)}`
}
