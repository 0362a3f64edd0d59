/** Sessions in which the user sets a rule once or several times, and ends with a task that it binds. */
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { createRandom } from '../../lib/random.ts'
import { sessionMessages } from '../planted/build-session.ts'
import { talkMessages } from './talk.ts'

export const FORMS = ['agent session', 'talk'] as const
export type Form = (typeof FORMS)[number]

export const CONSTRAINTS = [
  'Never touch the migrations folder.',
  'Answer in French from now on.',
  'Do not add a dependency without asking me first.',
  'Always run the linter before you say that something is done.',
  'Keep every reply under ten lines.',
  'Commit messages must begin with the number of the ticket.',
  'Treat the staging cluster as read-only.',
  'In this project only tabs are used for indentation.',
] as const

/** None of them names what a rule above is about. */
const TASKS = [
  'Now add a column for the invite code to the accounts table and show it in the report.',
  'Now make the export of invoices faster, it takes a minute.',
  'Now let the search ignore accents.',
] as const

export interface Arrangement {
  readonly name: string
  /** Where the rule is said, as shares of the session's length; 0 is the first message. */
  readonly at: readonly number[]
  /** As a sentence in a longer message, not as a message of its own. */
  readonly inPassing?: boolean
}

export const ARRANGEMENTS: readonly Arrangement[] = [
  { name: 'in the first message', at: [0] },
  { name: 'once, at 10%', at: [0.1] },
  { name: 'once, at 50%', at: [0.5] },
  { name: 'once, at 80%', at: [0.8] },
  { name: 'once, at 30%, in passing', at: [0.3], inPassing: true },
  { name: 'three times, at 10, 40 and 70%', at: [0.1, 0.4, 0.7] },
]

export function buildConstrainedSession(
  form: Form,
  tokens: number,
  constraint: string,
  { at, inPassing }: Arrangement,
  seed: number,
): JsonObject[] {
  const random = createRandom(seed)
  const messages =
    form === 'talk' ? talkMessages(tokens, random) : sessionMessages(tokens, [], random)
  const task = random.pick(TASKS)
  for (const share of at) {
    if (share === 0) {
      appendTo(messages, 1, constraint)
      continue
    }
    const place = nextUserMessage(messages, Math.floor(share * messages.length))
    if (inPassing === true) appendTo(messages, place, constraint)
    else {
      messages.splice(
        place,
        0,
        { role: 'user', content: constraint },
        { role: 'assistant', content: 'Noted.' },
      )
    }
  }
  return [...messages, { role: 'user', content: task }]
}

function appendTo(messages: JsonObject[], index: number, sentence: string): void {
  const message = messages[index]!
  messages[index] = { ...message, content: `${String(message.content)} ${sentence}` }
}

/** A user message stands between exchanges, so that nothing is put inside of one. */
function nextUserMessage(messages: readonly JsonObject[], from: number): number {
  const found = messages.findIndex(({ role }, index) => index >= from && role === 'user')
  if (found === -1) throw new Error('no user message behind that place')
  return found
}
