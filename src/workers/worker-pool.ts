/** Threads for large requests, so that the service's own stays free for the small ones and for probes. */
import { EventEmitter, once } from 'node:events'
import { extname } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { Piscina, queueOptionsSymbol } from 'piscina'
import type { Config } from '../config.ts'
import { PrecisError } from '../engine/errors.ts'
import { traceHeaders } from '../telemetry/tracing/spans.ts'
import { createThreadChooser, sessionOf } from './choose-thread.ts'
import { failureOf } from './failure-report.ts'
import type { WorkerStart, WorkReply, WorkTask } from './messages.ts'
import type { Worked } from './work.ts'
import type { AskOf, ToldOf, WorkName } from './work-table.ts'
import { createWorkerMetrics, type WorkerMetrics } from './worker-metrics.ts'

export interface WorkRun {
  /** Once it aborts the worker stops at its next stage. */
  readonly signal: AbortSignal
  /** On the clock of `performance.now()`. */
  readonly modelDeadlineAt: number
  /** Told of what went wrong in the thread and was made good there. */
  readonly onFailure: (error: unknown) => void
}

export interface WorkerPool {
  /** Smallest body that is worked on by a thread. */
  readonly minBytes: number
  /**
   * What the work gives. Takes `body` over: it cannot be read any more, so whoever still needs it hands
   * over a copy. (Memory that threads share is filled no faster than a copy, and is not
   * counted by the garbage collector, which then leaves it lying: of 60 bodies of 20 MB in turn 1.3 GB
   * were held, of as many copies 0.5 GB.)
   *
   * Throws PrecisError, `overloaded` where too many wait; any other error where the thread ended.
   */
  readonly run: <Name extends WorkName>(
    work: Name,
    body: Buffer,
    ask: AskOf<Name>,
    run: WorkRun,
  ) => Promise<Worked<ToldOf<Name>>>
  /** Starts a thread before it is needed. */
  readonly warm: () => Promise<void>
  readonly metrics: WorkerMetrics
  readonly close: () => Promise<void>
}

/** Of each thread: what waits for a model leaves it to others meanwhile. */
const TASKS_PER_WORKER = 4

/** Waiting requests for each thread; their bodies are in memory. */
const WAITING_PER_WORKER = 16

/**
 * A thread that has had nothing to do for so long ends, and with it goes what it remembers of sessions. By then
 * providers have let go of the prefix that was cached for them: 5 to 10 minutes, unless paid for.
 */
const IDLE_MS = 10 * 60 * 1_000

const ENTRY = extname(import.meta.url) === '.ts' ? './from-source.mjs' : './worker.js'

export function createWorkerPool(config: Config): WorkerPool {
  const { count, minBytes } = config.workers
  const maxQueue = count * WAITING_PER_WORKER
  const start: WorkerStart = { config }
  const { choose } = createThreadChooser({ maxThreads: count, tasksPerThread: TASKS_PER_WORKER })
  const pool = new Piscina<WorkTask, WorkReply>({
    filename: new URL(ENTRY, import.meta.url).href,
    minThreads: 0,
    maxThreads: count,
    concurrentTasksPerWorker: TASKS_PER_WORKER,
    maxQueue,
    loadBalancer: (task, threads) => choose(sessionIn(task[queueOptionsSymbol]), threads),
    // By default an idle thread sleeps in a way that nothing wakes but a task: its timers, the sockets to
    // models and the spans that are still to be sent would wait for one.
    atomics: 'disabled',
    idleTimeout: IDLE_MS,
    workerData: start,
  })
  const metrics = createWorkerMetrics()
  // A thread that cannot be started takes no task down with it: whoever waits must be told.
  const failures = new EventEmitter().setMaxListeners(0)
  pool.on('error', (error) => failures.emit('failure', error))

  const failure = (signal: AbortSignal): Promise<never> =>
    once(failures, 'failure', { signal }).then(
      ([error]) => {
        throw error
      },
      // What was waited for has come.
      () => new Promise<never>(() => {}),
    )

  return {
    minBytes,
    run: async <Name extends WorkName>(
      work: Name,
      body: Buffer,
      ask: AskOf<Name>,
      { signal, modelDeadlineAt, onFailure }: WorkRun,
    ) => {
      signal.throwIfAborted()
      if (pool.queueSize >= maxQueue) throw overloaded()
      const { port1, port2 } = new MessageChannel()
      const done = new AbortController()
      const cancel = (): void => port1.postMessage('cancel')
      signal.addEventListener('abort', cancel, { once: true })
      try {
        const bytes = owned(body)
        const task: WorkTask & QueueOptions = {
          [queueOptionsSymbol]: { session: sessionOf(bytes) },
          work,
          body: bytes,
          ask,
          askedAt: Date.now(),
          modelDeadlineAt: modelDeadlineAt - performance.now() + Date.now(),
          trace: traceHeaders(),
          cancel: port2,
        }
        const {
          worker,
          metrics: snapshot,
          failures,
          outcome,
        } = await Promise.race([
          pool.run(task, { name: 'runTask', transferList: [bytes.buffer, port2] }),
          failure(done.signal),
        ])
        metrics.report(worker, snapshot)
        void metrics.retire(pool.threads.map(({ threadId }) => threadId))
        for (const failure of failures) onFailure(failureOf(failure))
        if ('answer' in outcome) {
          return { answer: asBuffer(outcome.answer), told: outcome.told as ToldOf<Name> }
        }
        const { code, detail, faults, retryAfter, cause } = outcome.error
        throw new PrecisError(code, detail, {
          faults,
          ...(retryAfter !== undefined && { retryAfter }),
          ...(cause !== undefined && { cause: failureOf(cause) }),
        })
      } finally {
        signal.removeEventListener('abort', cancel)
        port1.close()
        done.abort()
      }
    },
    warm: async () => {
      await pool.run(undefined as never, { name: 'warm' })
    },
    metrics,
    close: () => pool.destroy(),
  }
}

/** What the choice of a thread is told of a task; it does not go to the thread. */
interface QueueOptions {
  readonly [queueOptionsSymbol]: { readonly session: string | undefined }
}

function sessionIn(options: object | null): string | undefined {
  return (options as QueueOptions[typeof queueOptionsSymbol] | null)?.session
}

function overloaded(): PrecisError {
  return new PrecisError('overloaded', 'Too many large requests are waiting.', { retryAfter: 1 })
}

/** A body that has its memory to itself can change hands; a slice of something is copied. */
function owned(body: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = body
  if (buffer instanceof ArrayBuffer && byteOffset === 0 && byteLength === buffer.byteLength) {
    return new Uint8Array(buffer)
  }
  return Uint8Array.from(body)
}

function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
