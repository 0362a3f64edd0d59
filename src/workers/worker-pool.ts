/** Threads for large requests, so that the service's own stays free for the small ones and for probes. */
import { EventEmitter, once } from 'node:events'
import { extname } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { Piscina } from 'piscina'
import type { Config } from '../config.ts'
import { PrecisError } from '../engine/errors.ts'
import { traceHeaders } from '../telemetry/tracing/spans.ts'
import type { WorkerStart, WorkReply, WorkTask } from './messages.ts'
import type { WorkName } from './work-table.ts'
import { createWorkerMetrics, type WorkerMetrics } from './worker-metrics.ts'

export interface WorkerPool {
  /**
   * The bytes of the answer. Takes `body` over: it cannot be read any more. `modelDeadlineAt` is on the
   * clock of `performance.now()`; once `signal` aborts the worker stops at its next stage. Throws
   * PrecisError, `overloaded` where too many wait.
   */
  readonly run: (
    work: WorkName,
    body: Buffer,
    limits: { readonly signal: AbortSignal; readonly modelDeadlineAt: number },
  ) => Promise<Buffer>
  /** Starts a thread before it is needed. */
  readonly warm: () => Promise<void>
  readonly metrics: WorkerMetrics
  readonly close: () => Promise<void>
}

/** Of each thread: what waits for a model leaves it to others meanwhile. */
const TASKS_PER_WORKER = 4

/** Waiting requests for each thread; their bodies are in memory. */
const WAITING_PER_WORKER = 16

/** A thread that has had nothing to do for so long ends. */
const IDLE_MS = 60_000

const ENTRY = extname(import.meta.url) === '.ts' ? './from-source.mjs' : './worker.js'

export function createWorkerPool(config: Config): WorkerPool {
  const { count } = config.workers
  const maxQueue = count * WAITING_PER_WORKER
  const start: WorkerStart = { config }
  const pool = new Piscina<WorkTask, WorkReply>({
    filename: new URL(ENTRY, import.meta.url).href,
    minThreads: 0,
    maxThreads: count,
    concurrentTasksPerWorker: TASKS_PER_WORKER,
    maxQueue,
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
    run: async (work, body, { signal, modelDeadlineAt }) => {
      signal.throwIfAborted()
      if (pool.queueSize >= maxQueue) throw overloaded()
      const { port1, port2 } = new MessageChannel()
      const done = new AbortController()
      const cancel = (): void => port1.postMessage('cancel')
      signal.addEventListener('abort', cancel, { once: true })
      try {
        const bytes = owned(body)
        const task: WorkTask = {
          work,
          body: bytes,
          modelDeadlineAt: modelDeadlineAt - performance.now() + Date.now(),
          trace: traceHeaders(),
          cancel: port2,
        }
        const {
          worker,
          metrics: snapshot,
          outcome,
        } = await Promise.race([
          pool.run(task, { name: 'runTask', transferList: [bytes.buffer, port2] }),
          failure(done.signal),
        ])
        metrics.report(worker, snapshot)
        void metrics.retire(pool.threads.map(({ threadId }) => threadId))
        if ('answer' in outcome) return asBuffer(outcome.answer)
        const { code, detail, ...rest } = outcome.error
        throw new PrecisError(code, detail, {
          faults: rest.faults,
          ...(rest.retryAfter !== undefined && { retryAfter: rest.retryAfter }),
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
