import { type Fault, PrecisError } from '../../engine/errors.ts'

/** A reader has seen enough of a broken file after so many. */
const MAX_FAULTS = 20

export interface SessionFaults {
  /** `rule` is stable; `detail` says what is wrong with the line, and holds nothing of its text. */
  readonly add: (line: number, rule: string, detail: string) => void
  /** Throws PrecisError('invalid-conversation') if there is a fault. */
  readonly raise: () => void
}

export function createSessionFaults(): SessionFaults {
  const faults: Fault[] = []
  let count = 0
  return {
    add: (line, rule, detail) => {
      count += 1
      if (faults.length < MAX_FAULTS) {
        faults.push({ pointer: '', rule, detail: `line ${line}: ${detail}` })
      }
    },
    raise: () => {
      if (count === 0) return
      if (count > faults.length) {
        faults.push({
          pointer: '',
          rule: 'more-errors',
          detail: `${count - faults.length} more are not listed`,
        })
      }
      throw new PrecisError(
        'invalid-conversation',
        `The Claude Code transcript has ${count === 1 ? 'a fault' : `${count} faults`}.`,
        { faults },
      )
    },
  }
}
