import type { CountTokens } from '../engine/transcript.ts'
import type { PackedRequest, WireLimits, WireRendering } from './wires/wire.ts'

/** What a request holds of the limits. */
export interface RequestSize {
  readonly stateAndLongestQuestion: number
  readonly total: number
  readonly questions: number
}

/** @param share of every token limit, in (0, 1] */
export function scaleLimits(limits: WireLimits, share: number): WireLimits {
  return {
    ...limits,
    maxStateAndLongestQuestionTokens: Math.floor(limits.maxStateAndLongestQuestionTokens * share),
    maxTotalTokens: Math.floor(limits.maxTotalTokens * share),
    ...(limits.maxPromptTokens !== undefined && {
      maxPromptTokens: Math.floor(limits.maxPromptTokens * share),
    }),
  }
}

/** The limits of a server, or what a deployment says instead; what is undefined says nothing. */
export function overrideLimits(
  limits: WireLimits,
  over: { readonly [Key in keyof WireLimits]?: WireLimits[Key] | undefined },
): WireLimits {
  const said = Object.fromEntries(Object.entries(over).filter(([, value]) => value !== undefined))
  const {
    maxTotalTokens,
    maxStateAndLongestQuestionTokens: maxState,
    ...rest
  } = { ...limits, ...said }
  // The state with one question is a part of the whole.
  const maxStateAndLongestQuestionTokens = Math.min(maxState, maxTotalTokens)
  return { ...rest, maxTotalTokens, maxStateAndLongestQuestionTokens }
}

export function sizeLimits(limits: WireLimits): RequestSize {
  return {
    stateAndLongestQuestion: limits.maxStateAndLongestQuestionTokens,
    total: limits.maxTotalTokens,
    questions: limits.maxQuestionsPerRequest,
  }
}

export function withSize(limits: WireLimits, size: RequestSize): WireLimits {
  return {
    ...limits,
    maxStateAndLongestQuestionTokens: Math.floor(size.stateAndLongestQuestion),
    maxTotalTokens: Math.floor(size.total),
    maxQuestionsPerRequest: Math.floor(size.questions),
    // A prompt of its own is a part of what its request holds.
    ...(limits.maxPromptTokens !== undefined && {
      maxPromptTokens: Math.min(limits.maxPromptTokens, Math.floor(size.stateAndLongestQuestion)),
    }),
  }
}

export function measureRequest(
  { questions, state }: PackedRequest,
  context: {
    readonly rendering: WireRendering
    readonly limits: WireLimits
    readonly countTokens: CountTokens
  },
): RequestSize {
  const { limits, countTokens, rendering } = context
  const stateTokens = limits.requestOverheadTokens + countTokens(rendering.stateText(state))
  let longest = 0
  let total = 0
  for (const question of questions) {
    const tokens = limits.questionOverheadTokens + countTokens(rendering.questionText(question))
    longest = Math.max(longest, tokens)
    total += tokens
  }
  return {
    stateAndLongestQuestion: stateTokens + longest,
    total: stateTokens + total,
    questions: questions.length,
  }
}
