import type { CompactInput } from '../../engine/compact.ts'

/** What holds for all steps of a conversation. */
export interface SteppedSettings extends Omit<CompactInput, 'transcript'> {
  readonly lowWater: number
  /** First messages that no step touches, whatever the target; they are among the pins. */
  readonly frozenMessages: number
}

/** The default low-water mark; measured in eval/results/prompt-cache.md (docs/proxy.md). */
export const DEFAULT_LOW_WATER = 0.5
