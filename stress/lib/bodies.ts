/** Bodies of POST /compact of given sizes, each with texts that no other has. */
import { type ConversationMembers, FORMATS } from '../../bench/lib/conversation-formats.ts'
import { createRandom } from '../../bench/lib/random.ts'
import { prose } from '../../bench/lib/texts.ts'
import { type OpenaiMessage, toolConversation } from '../../bench/lib/tool-conversation.ts'

/** Formats of agents' sessions, and a talk without tools. */
export type BodyKind = ConversationMembers['format'] | 'talk'

export const BODY_KINDS: readonly BodyKind[] = [
  'openai-chat',
  'anthropic-messages',
  'neurolink',
  'talk',
]

/** Sessions of `toolConversation` have more, so that none is too short. */
const LEAST_BYTES_PER_MESSAGE = 300

/** Bytes of a token, about, in these texts. */
const BYTES_PER_TOKEN = 4

/** Of the tokens, that the target leaves. */
const TARGET_SHARE = 0.5

/** Stands at the start of every text; its digits are overwritten. */
const STAMP = 'Note 00000000. '
const STAMP_DIGITS = 'Note '.length
const DIGITS = 8

export interface BodyTemplate {
  readonly kind: BodyKind
  readonly bytes: Buffer
  /** Where the digits stand that make a text new. */
  readonly stamps: readonly number[]
}

/** A conversation of about so many bytes, over its target: half of its tokens. */
export function createTemplate(kind: BodyKind, size: number, seed: number): BodyTemplate {
  const messages = kind === 'talk' ? talk(size, seed) : session(size, seed)
  const stamped = messages.map((message) =>
    message.content === null ? message : { ...message, content: `${STAMP}${message.content}` },
  )
  const members = FORMATS[kind === 'talk' ? 'openai-chat' : kind](stamped)
  const targetTokens = Math.floor((size / BYTES_PER_TOKEN) * TARGET_SHARE)
  const bytes = Buffer.from(JSON.stringify({ ...members, targetTokens }))
  const stamps: number[] = []
  for (let at = bytes.indexOf(STAMP); at >= 0; at = bytes.indexOf(STAMP, at + 1)) {
    stamps.push(at + STAMP_DIGITS)
  }
  return { kind, bytes, stamps }
}

/** A copy in which every text is new, for a number that is. */
export function stampBody({ bytes, stamps }: BodyTemplate, number: number): Buffer {
  const copy = Buffer.from(bytes)
  const digits = Buffer.from(String(number % 10 ** DIGITS).padStart(DIGITS, '0'))
  for (const at of stamps) copy.set(digits, at)
  return copy
}

/** As much of an agent's session as makes the size. */
function session(size: number, seed: number): readonly OpenaiMessage[] {
  const messages: OpenaiMessage[] = []
  let bytes = 0
  for (const message of toolConversation(Math.ceil(size / LEAST_BYTES_PER_MESSAGE), seed)) {
    const added = JSON.stringify(message).length + STAMP.length + 1
    if (bytes + added > size) break
    messages.push(message)
    bytes += added
  }
  // A call whose result did not fit.
  if (messages.at(-1)?.tool_calls !== undefined) messages.pop()
  return [
    ...messages,
    { role: 'user', content: prose(Math.max(80, size - bytes), createRandom(seed)) },
  ]
}

/** A user and an assistant who talk, of whom the embedded model judges every word. */
function talk(size: number, seed: number): readonly OpenaiMessage[] {
  const random = createRandom(seed)
  const messages: OpenaiMessage[] = []
  for (let bytes = 0; bytes < size; ) {
    const role = messages.length % 2 === 0 ? 'user' : 'assistant'
    const content = prose(role === 'user' ? 80 + random() * 300 : 200 + random() * 900, random)
    messages.push({ role, content })
    bytes += content.length + STAMP.length + 30
  }
  if (messages.length % 2 === 0) messages.pop()
  return messages
}
