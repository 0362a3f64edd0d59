import type { WorkerPool } from '../workers/worker-pool.ts'
import type { Asked } from './asked.ts'
import type { AttemptOptions } from './attempts.ts'
import type { FailOpen } from './compact-within.ts'
import type { ProxyReason } from './names.ts'
import type { ProxyNote } from './note.ts'
import type { LearnedTargets } from './overflow/learned-targets.ts'
import type { Overflow } from './overflow/recognise.ts'
import type { Generation } from './surface.ts'
import type { UnpackBody } from './unpack-body.ts'

/** A request as it goes to the upstream. */
export interface Prepared {
  readonly body: Buffer
  /** Whether `body` is not what came: plain JSON then. */
  readonly isRewritten: boolean
  readonly note: ProxyNote
  /**
   * Completes the note of a request that is surely within its budget, and so need not wait to be
   * counted: that can be done while the upstream works.
   */
  readonly count?: () => Promise<ProxyNote>
  /**
   * A request that answers in events, and may be too long for its model: what the upstream says of
   * that in its first events is worth a look.
   */
  readonly mayBeTooLong?: boolean
  /**
   * The request made smaller than it was, after the upstream found it too long; undefined where it
   * cannot be. Absent where the proxy is not to touch it, or does not understand it.
   */
  readonly harder?: (overflow: Overflow) => Promise<Prepared | undefined>
}

/** Preparing throws when `signal` aborts, and never else. */
export interface PrepareCall extends FailOpen {
  readonly body: Buffer
  readonly encoding: string | undefined
  /** Undefined: a call of another kind. */
  readonly generation: Generation | undefined
  readonly asked: Asked
  /** Takes what is to be called when the request is over. */
  readonly whenOver: (release: () => void) => void
}

export interface PrepareOptions extends AttemptOptions {
  readonly unpack: UnpackBody
  readonly learned: LearnedTargets
  /** Threads for large bodies; undefined where all work is done on this one. */
  readonly workers: Pick<WorkerPool, 'run' | 'minBytes'> | undefined
}

export type Prepare = (call: PrepareCall) => Promise<Prepared>

export function asItCame(body: Buffer, note: ProxyNote): Prepared {
  return { body, isRewritten: false, note }
}

export function passed(body: Buffer, reason: ProxyReason): Prepared {
  return asItCame(body, { outcome: 'passed', reason })
}
