import type { Pace } from './send-answer.ts'
import type { ModelBehaviour } from './speak.ts'
import type { Overflow, Reply } from './types.ts'

export interface LlmServerRules extends ModelBehaviour {
  /** Tokens; Infinity for none. Default 128,000. */
  readonly contextWindow: number
  /** Says something else than the provider of the API where the prompt does not fit. */
  readonly overflow: ((overflow: Overflow) => Reply) | undefined
  /** A stream of the Responses API reports it by its events, and with status 200. Default true. */
  readonly overflowInStream: boolean
  /** Encodes answers with what the client accepts. Default false. */
  readonly compress: boolean
  readonly pace: Pace
}

export const DEFAULT_RULES: LlmServerRules = {
  contextWindow: 128_000,
  overflow: undefined,
  overflowInStream: true,
  compress: false,
  pace: { delayMs: 0, splitBytes: 0 },
  toolTurns: 0,
  callsPerTurn: 1,
  answerWords: 12,
}
