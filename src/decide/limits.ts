import type { CountTokens } from '../engine/transcript.ts'
import type { PackedRequest, Wire, WireLimits } from './wires/wire.ts'

/** @param share of both token limits, in (0, 1] */
export function scaleLimits(limits: WireLimits, share: number): WireLimits {
  return {
    ...limits,
    maxStateAndLongestQuestionTokens: Math.floor(limits.maxStateAndLongestQuestionTokens * share),
    maxTotalTokens: Math.floor(limits.maxTotalTokens * share),
  }
}

/**
 * Limits for a second try, after a server has called a request too large: half of what the request
 * held, or of what is allowed where the count said less than it was.
 */
export function halveLimits(
  { questions, state }: PackedRequest,
  context: {
    readonly wire: Wire
    readonly limits: WireLimits
    readonly countTokens: CountTokens
  },
): WireLimits {
  const { limits, countTokens } = context
  const { stateText, questionText } = context.wire.rendering
  const stateTokens = limits.requestOverheadTokens + countTokens(stateText(state))
  let longest = 0
  let total = 0
  for (const question of questions) {
    const tokens = limits.questionOverheadTokens + countTokens(questionText(question))
    longest = Math.max(longest, tokens)
    total += tokens
  }
  return scaleLimits(
    {
      ...limits,
      maxStateAndLongestQuestionTokens: Math.min(
        limits.maxStateAndLongestQuestionTokens,
        stateTokens + longest,
      ),
      maxTotalTokens: Math.min(limits.maxTotalTokens, stateTokens + total),
    },
    0.5,
  )
}
