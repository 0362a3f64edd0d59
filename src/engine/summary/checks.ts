/** What a summary must pass before any model is asked about it. */
import { holdsPhrases, wordsOf } from './phrases.ts'
import { CONSTRAINTS_SECTION, SUMMARY_SECTIONS } from './prompt.ts'

export type SummaryFault =
  | 'empty'
  | 'tool-call-only'
  | 'refusal'
  | 'not-smaller'
  | 'too-large'
  | 'poorer-than-previous'

export interface SummaryCheckInput {
  readonly text: string
  readonly toolCalls: boolean
  /** The provider flagged the answer as a refusal. */
  readonly refused: boolean
  /** Tokens of the message that the summary would become. */
  readonly tokens: number
  /** Tokens of the messages that it would replace. */
  readonly replacedTokens: number
  /** Most tokens that leave the target within reach of the stages after it. */
  readonly allowedTokens: number
  readonly previous?: string | undefined
}

/** A refusal is short and says so at once; a real summary may quote one further down. */
const REFUSAL_OPENING =
  /^(?:i['’]?m (?:sorry|afraid|unable)|i am (?:sorry|afraid|unable)|i (?:cannot|can['’]?t|could not|couldn['’]?t|won['’]?t)\b|(?:we['’]?re |my )?sorry\b|unfortunately\b|as an ai\b|(?:\w+ ?)?error\b ?[:(]|could you (?:please )?(?:clarify|provide|share)|please (?:clarify|provide|share))/i
const REFUSAL_MAX_CHARACTERS = 600

/** What shows by the answer alone that it is no summary. */
export function findTextFault(
  input: Pick<SummaryCheckInput, 'text' | 'toolCalls' | 'refused'>,
): SummaryFault | undefined {
  const text = input.text.trim()
  if (input.refused) return 'refusal'
  if (text === '') return input.toolCalls ? 'tool-call-only' : 'empty'
  const opensLikeOne = text.length <= REFUSAL_MAX_CHARACTERS && REFUSAL_OPENING.test(text)
  return opensLikeOne && !hasSections(text) ? 'refusal' : undefined
}

export function findSummaryFault(input: SummaryCheckInput): SummaryFault | undefined {
  const { text } = input
  const fault = findTextFault(input)
  if (fault !== undefined) return fault
  if (input.tokens >= input.replacedTokens) return 'not-smaller'
  if (input.tokens > input.allowedTokens) return 'too-large'
  if (input.previous !== undefined && isPoorer(text, input.previous)) return 'poorer-than-previous'
  return undefined
}

/**
 * Poorer: a section that had content is gone or emptied, or a line of the constraints section is
 * missing. Open tasks get done and current work changes, so only the presence of the other sections
 * is compared, never their text. A summary without sections is poorer at less than half the words.
 */
export function isPoorer(text: string, previous: string): boolean {
  const before = parseSections(previous)
  const after = parseSections(text)
  // Without sections to compare, much less of it is the one sign there is.
  if (before.size === 0) return wordsOf(text).length * 2 < wordsOf(previous).length
  const lostSections = [...before].filter(
    ([name, lines]) =>
      lines.length > 0 && !MAY_EMPTY.has(name) && (after.get(name) ?? []).length === 0,
  )
  if (lostSections.length > 0) return true
  return !holdsPhrases(wordsOf(text), (before.get(CONSTRAINTS_SECTION) ?? []).map(wordsOf))
}

/** Sections that end naturally as the work goes on. */
const MAY_EMPTY: ReadonlySet<string> = new Set([
  'Pending Tasks',
  'Current Work',
  'Next Step',
  'Required Files',
  'Problem Solving',
])

function hasSections(text: string): boolean {
  return parseSections(text).size > 0
}

/** Section name -> its non-empty lines; a section that says "none" has no lines. */
export function parseSections(text: string): Map<string, string[]> {
  const sections = new Map<string, string[]>()
  let current: string[] | undefined
  for (const line of text.split('\n')) {
    const heading = headingOf(line)
    if (heading !== undefined) {
      // Several summaries in one text repeat the headings; a later one erases nothing.
      current = sections.get(heading.name) ?? []
      sections.set(heading.name, current)
      if (heading.rest !== '') current.push(heading.rest)
      continue
    }
    const content = line.trim()
    if (content !== '') current?.push(content)
  }
  for (const [name, lines] of sections) {
    sections.set(
      name,
      lines.filter((line) => !/^[-*\s]*none\.?$/i.test(line)),
    )
  }
  return sections
}

function headingOf(line: string): { name: string; rest: string } | undefined {
  if (line.length > 4_000) return undefined
  const bare = line.replace(/^[\s#*\d.)]+/, '').replace(/\*\*/g, '')
  const name = SUMMARY_SECTIONS.find((section) =>
    bare.toLowerCase().startsWith(section.toLowerCase()),
  )
  if (name === undefined) return undefined
  const rest = bare.slice(name.length).trim()
  // "Next Step" begins many a sentence; a heading ends there or goes on after a colon.
  if (rest !== '' && !rest.startsWith(':')) return undefined
  return { name, rest: rest.replace(/^:\s*/, '') }
}
