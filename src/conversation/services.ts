import type { OptionOverrides, ProfileName } from '../engine/options.ts'
import type { DecidePort, SummarizePort } from '../engine/ports.ts'
import type { TokenCounters } from '../tokens/token-counter.ts'
import type { WindowTable } from '../tokens/windows.ts'
import type { StepMemo } from './steps/step-memo.ts'

/** What working on conversations takes, made once per process. */
export interface ConversationServices {
  readonly counters: TokenCounters
  readonly windows: WindowTable
  readonly decide: DecidePort | undefined
  readonly summarize: SummarizePort | undefined
  readonly defaultProfile: ProfileName
  /** Option values that the deployment sets; a request's own win. */
  readonly defaultOptions: OptionOverrides | undefined
  /** Where requests in steps go down to that set no mark of their own; `CompactRequest.lowWater`. */
  readonly lowWater: number
  /** What earlier steps decided. */
  readonly stepMemo: StepMemo
  /** Most messages of one conversation. */
  readonly maxMessages: number
}
