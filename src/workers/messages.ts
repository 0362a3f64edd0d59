/** What goes between the service's thread and a worker's. */
import type { MessagePort } from 'node:worker_threads'
import type { MetricObjectWithValues, MetricValue } from 'prom-client'
import type { Config } from '../config.ts'
import type { ErrorCode, Fault } from '../engine/errors.ts'
import type { FailureReport } from './failure-report.ts'
import type { WorkName } from './work-table.ts'

/** What a worker is started with. */
export interface WorkerStart {
  readonly config: Config
}

/** Times are on the clock of `Date.now()`: each thread's own has another zero. */
export interface WorkTask {
  readonly work: WorkName
  /** JSON in UTF-8, unless the work reads its bytes itself. */
  readonly body: Uint8Array
  readonly ask: unknown
  readonly askedAt: number
  /** When models must be done. */
  readonly modelDeadlineAt: number
  /** Headers that name the span of the request; empty where nothing is traced. */
  readonly trace: Readonly<Record<string, string>>
  /** Any message on it says that nobody waits for the answer any more. */
  readonly cancel: MessagePort
}

export type MetricSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[]

export interface WorkReply {
  readonly worker: number
  /** All that the worker has counted since it was started. */
  readonly metrics: MetricSnapshot
  /** What nobody expected. */
  readonly failures: readonly FailureReport[]
  readonly outcome:
    | { readonly answer: Uint8Array; readonly told: unknown }
    | {
        readonly error: {
          readonly code: ErrorCode
          readonly detail: string
          readonly faults: readonly Fault[]
          readonly retryAfter: number | undefined
          /** Of an error that is not of those that are written here. */
          readonly cause: FailureReport | undefined
        }
      }
}
