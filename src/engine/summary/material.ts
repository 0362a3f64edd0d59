/**
 * The messages that a summary replaces, as text for the summariser: bounded to its window, in rounds
 * where one window does not take them, each round carrying the summary of the one before.
 */
import { headAndTail, shortenToTokens } from '../text-cut.ts'
import type { CountTokens, Entry, JsonValue, Part } from '../transcript.ts'

/** More rounds than this cost more than they keep; longer material is previewed to fit. */
export const MAX_ROUNDS = 4

/** A message is never cut below this many characters, whatever the window. */
const MIN_MESSAGE_CHARACTERS = 200

/** Most tokens of the line break between two messages. */
const SEPARATOR_TOKENS = 1

export interface Rendered {
  readonly text: string
  readonly tokens: number
}

/** One message as a labelled block. Tool arguments are shown: they say what was done. */
export function renderEntry(entry: Entry): string {
  const name = entry.speaker === undefined ? '' : ` name=${JSON.stringify(entry.speaker)}`
  const body = entry.parts.map(renderPart).join('\n')
  return `<message role="${entry.role}"${name}>\n${body}\n</message>`
}

function renderPart(part: Part): string {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'tool-call':
      return `[called ${part.toolName ?? 'a tool'} with ${renderArguments(part.toolArguments)}]`
    case 'tool-result':
      return `[${part.toolName ?? 'tool'} ${part.isError === true ? 'failed' : 'returned'}]\n${part.text}`
    case 'reasoning':
      return ''
    default:
      return part.text
  }
}

function renderArguments(value: JsonValue | undefined): string {
  if (value === undefined) return 'no arguments'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Splits the messages into rounds of at most `budget` tokens. Where more than MAX_ROUNDS would be
 * needed, every message is cut to head and tail until they suffice. Linear in the text.
 */
export function planRounds(
  entries: readonly Entry[],
  budget: number,
  countTokens: CountTokens,
): string[] {
  const rendered = entries.map((entry) => measure(renderEntry(entry), countTokens))
  const total = rendered.reduce((sum, message) => sum + message.tokens, 0)
  const allowed = budget * MAX_ROUNDS
  // Slack for what does not divide evenly into rounds.
  const share = total > allowed * 0.9 ? (allowed * 0.8) / total : 1
  const bounded = rendered.map((message) => {
    const limit = Math.min(budget, share < 1 ? Math.floor(message.tokens * share) : message.tokens)
    return message.tokens <= limit ? message : shrink(message, limit, countTokens)
  })
  return fill(bounded, budget, countTokens)
}

function shrink(message: Rendered, limit: number, countTokens: CountTokens): Rendered {
  const keep = Math.max(
    MIN_MESSAGE_CHARACTERS,
    Math.floor((message.text.length * limit * 0.9) / Math.max(1, message.tokens)),
  )
  return measure(headAndTail(message.text, keep), countTokens)
}

function fill(messages: readonly Rendered[], budget: number, countTokens: CountTokens): string[] {
  const within = ({ text, tokens }: Rendered): string =>
    shortenToTokens(text, tokens, budget, countTokens) ?? ''
  const rounds: string[] = []
  let current: string[] = []
  let tokens = 0
  for (const message of messages) {
    if (current.length > 0 && tokens + message.tokens > budget) {
      rounds.push(current.join('\n'))
      current = []
      tokens = 0
    }
    current.push(within(message))
    tokens += message.tokens + SEPARATOR_TOKENS
  }
  if (current.length > 0) rounds.push(current.join('\n'))
  // Messages at their least length can still overflow the last round; the oldest rounds are kept
  // whole and the surplus is merged by head and tail, so that the newest stays visible.
  return rounds.length <= MAX_ROUNDS
    ? rounds
    : [
        ...rounds.slice(0, MAX_ROUNDS - 1),
        within(measure(rounds.slice(MAX_ROUNDS - 1).join('\n'), countTokens)),
      ]
}

function measure(text: string, countTokens: CountTokens): Rendered {
  return { text, tokens: countTokens(text) }
}

export function roundInput(previousSummary: string | undefined, messages: string): string {
  return previousSummary === undefined
    ? messages
    : `<summary-so-far>\n${previousSummary}\n</summary-so-far>\n${messages}`
}
