/** Where the current request stands, and what it takes. */

import { lastUserEntry, spokenText } from '../engine/protection.ts'
import type { CountTokens, Entry, Transcript } from '../engine/transcript.ts'

/** Role and delimiters of one message, as NeuroLink counts a prompt that is not in the history. */
const PROMPT_FRAMING_TOKENS = 4

export interface CurrentRequest {
  readonly text: string | undefined
  readonly tokens: number
  /** The request is the last user message of the posted conversation. */
  readonly isPosted: boolean
}

/**
 * A request that is given and is not the last user message will be sent beside the conversation: it
 * takes room that is not in the posted tokens.
 */
export function locateCurrentRequest(
  transcript: Transcript | undefined,
  given: string | null | undefined,
  countTokens: CountTokens,
): CurrentRequest {
  const index = transcript === undefined ? undefined : lastUserEntry(transcript.entries)
  const entry = index === undefined ? undefined : transcript?.entries[index]
  const posted = entry === undefined ? undefined : spokenText(entry)
  if (entry !== undefined && (given === undefined || given === null || given === posted)) {
    return {
      text: given === null ? undefined : posted,
      tokens: spokenTokens(entry),
      isPosted: true,
    }
  }
  if (given === undefined || given === null) return { text: undefined, tokens: 0, isPosted: false }
  return {
    text: given,
    tokens: given === '' ? 0 : countTokens(given) + PROMPT_FRAMING_TOKENS,
    isPosted: false,
  }
}

/**
 * What the user says, framing included. Tool results that ride along are history: a run may shorten
 * them, and the budget of what it returns must be the budget that it was given.
 */
function spokenTokens({ parts, framingTokens }: Entry): number {
  return parts.reduce(
    (sum, part) => (part.kind === 'tool-result' ? sum : sum + part.tokens),
    framingTokens,
  )
}
