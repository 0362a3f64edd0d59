/** Newest messages that are never judged: the service's default. */
export const PROTECT_RECENT = 6

export interface Turn {
  readonly text: string
  readonly role: 'user' | 'assistant'
  readonly speaker?: string
  readonly needed: boolean
}

/** A conversation, a request, and which of its turns that request needs. */
export interface LabelledCase {
  /** The conversation that the case was made from: cases that share one are not independent. */
  readonly conversation: string
  readonly request: string
  readonly turns: readonly Turn[]
}

/** A case with what a scorer says of each turn that is older than the recent window. */
export interface JudgedCase {
  readonly labelled: LabelledCase
  /** Higher is kept longer; undefined where the scorer left the turn unanswered, which keeps it. */
  readonly scores: readonly (number | undefined)[]
}

/** Tokens of a turn as the study counted them: ceil(characters / 4) + 4. */
export function turnTokens(text: string): number {
  return Math.ceil(text.length / 4) + 4
}

/** Turns in the order in which they would go: least needed first, ties oldest first. */
export function dropOrder(scores: JudgedCase['scores']): number[] {
  return [...scores.keys()]
    .filter((index) => scores[index] !== undefined)
    .sort((a, b) => scores[a]! - scores[b]! || a - b)
}
