import type { CompactInput } from '../../engine/compact.ts'

/** What holds for all steps of a conversation. */
export interface SteppedSettings extends Omit<CompactInput, 'transcript'> {
  readonly lowWater: number
  readonly frozen: number
}

/** The default low-water mark; measured in eval/results/prompt-cache.md (docs/proxy.md). */
export const DEFAULT_LOW_WATER = 0.5
