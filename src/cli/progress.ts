import type { StageObserver } from '../engine/ports.ts'
import type { Terminal } from './terminal.ts'

export interface Progress extends StageObserver {
  /** Says what is being done, if the work already takes long. */
  readonly tell: (what: string) => void
  /** From now on the work is known to take long. */
  readonly expectLong: () => void
  /** Takes the line away. */
  readonly clear: () => void
}

/** Work that is over before this has no line. */
const PATIENCE_MS = 300

const CLEAR_LINE = '\r\u001b[K'

/** One line of a terminal that is written over, stage by stage; nothing where there is no terminal. */
export function createProgress(
  { write, isTerminal, width }: Terminal,
  now: () => number = () => performance.now(),
): Progress {
  const startedAt = now()
  let isLong = false
  let isShown = false
  const tell = (what: string): void => {
    if (!isTerminal || !(isLong || now() - startedAt >= PATIENCE_MS)) return
    isShown = true
    write(`${CLEAR_LINE}${`precis: ${what} …`.slice(0, width - 1)}`)
  }
  return {
    tell,
    expectLong: () => {
      isLong = true
    },
    stageStarted: tell,
    stageFinished: () => {},
    clear: () => {
      if (!isShown) return
      isShown = false
      write(CLEAR_LINE)
    },
  }
}
