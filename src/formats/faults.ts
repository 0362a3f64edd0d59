import { type Fault, PrecisError } from '../engine/errors.ts'
import type { FormatId } from './adapter.ts'

/** Most faults that one answer lists. */
const MAX_FAULTS = 20

export interface FaultCollector {
  readonly add: (pointer: string, rule: string, detail: string) => void
  readonly count: () => number
  /** Throws PrecisError('invalid-conversation') if anything was added. */
  readonly throwIfAny: () => void
}

/** Collects every fault of a conversation, so that a caller mends them in one go. */
export function createFaults(format: FormatId): FaultCollector {
  const faults: Fault[] = []
  let count = 0
  return {
    add: (pointer, rule, detail) => {
      count += 1
      if (faults.length < MAX_FAULTS) faults.push({ pointer, rule, detail })
    },
    count: () => count,
    throwIfAny: () => {
      if (count === 0) return
      const places = count === 1 ? '1 place' : `${count} places`
      const listed = count > MAX_FAULTS ? `; the first ${MAX_FAULTS} are listed` : ''
      throw new PrecisError(
        'invalid-conversation',
        `the conversation breaks the rules of ${format} in ${places}${listed}`,
        { faults },
      )
    },
  }
}
