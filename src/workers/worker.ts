/** A thread that does the work of large requests, with services of its own. */
import { threadId, workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { createValidatorCompiler } from '../contract/validation/bounded-validator.ts'
import { brokenSchema } from '../contract/validation/broken-schema.ts'
import { createConversationServices } from '../create-conversation-services.ts'
import { PrecisError } from '../engine/errors.ts'
import { createJsonDecoder } from '../http/body/decode-json.ts'
import { createJsonReader } from '../http/body/json-body-parser.ts'
import { BODY_BOUNDS } from '../http/body/structure-bounds.ts'
import { MAX_LISTED_BYTES } from '../http/plugins/bounded-validation.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { withinTrace, withSpan } from '../telemetry/tracing/spans.ts'
import { startTracing } from '../telemetry/tracing/start-tracing.ts'
import { callerSignal } from './caller-signal.ts'
import { type FailureReport, reportFailure } from './failure-report.ts'
import type { WorkerStart, WorkReply, WorkTask } from './messages.ts'
import { WORK, workOf } from './work-table.ts'

const { config } = startOf(workerData)
const metrics = createMetrics({ ofProcess: false })
const conversation = createConversationServices(config, metrics)
const readJson = createJsonReader(BODY_BOUNDS)
const decodeJson = createJsonDecoder()
if (config.tracing !== undefined) await startTracing(config.tracing)
let listed = false
const compile = createValidatorCompiler(() => listed)

const validators = new Map(
  Object.values(WORK).flatMap(({ schema }) =>
    schema === undefined ? [] : [[schema as object, compile(schema)] as const],
  ),
)

/** Piscina hands the start over in an array, behind its own. */
function startOf(data: unknown): WorkerStart {
  return (Array.isArray(data) ? data.at(-1) : data) as WorkerStart
}

/** Waits for what a first request would wait for. */
export async function warm(): Promise<void> {
  await conversation.ready
}

export async function runTask(task: WorkTask): Promise<object> {
  const failures: FailureReport[] = []
  const outcome = await withinTrace(task.trace, () =>
    withSpan(`work ${task.work}`, () => outcomeOf(task, failures)),
  )
  const snapshot = (await metrics.registry.getMetricsAsJSON()) as unknown as WorkReply['metrics']
  const reply: WorkReply = { worker: threadId, metrics: snapshot, failures, outcome }
  if (!('answer' in outcome)) return reply
  // The bytes change hands; a copy of 20 MB would hold up the other thread.
  return move({ [transferableSymbol]: [outcome.answer.buffer], [valueSymbol]: reply } as never)
}

async function outcomeOf(task: WorkTask, failures: FailureReport[]): Promise<WorkReply['outcome']> {
  const { cancel } = task
  const signal = callerSignal(cancel)
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new DOMException('The work ran out of time.', 'TimeoutError')),
    task.modelDeadlineAt - Date.now(),
  )
  try {
    // Whoever has waited for a thread for too long is not waiting any more.
    if (signal.aborted) throw signal.reason
    const rawBody = Buffer.from(task.body.buffer, task.body.byteOffset, task.body.byteLength)
    const body = bodyOf(rawBody, WORK[task.work].schema)
    const { answer, told } = await workOf(task.work)({ body, rawBody }, task.ask, {
      conversation,
      metrics,
      decodeJson,
      run: {
        signal,
        modelSignal: AbortSignal.any([signal, late.signal]),
        modelDeadlineAt: ownTime(task.modelDeadlineAt),
      },
      askedAt: ownTime(task.askedAt),
      onFailure: (error) => failures.push(reportFailure(error)),
    })
    return { answer: owned(answer), told }
  } catch (error) {
    if (error instanceof PrecisError) {
      const { code, message, faults, retryAfter } = error
      return { error: { code, detail: message, faults, retryAfter, cause: undefined } }
    }
    const cause = reportFailure(error)
    return {
      error: {
        code: 'internal',
        detail: 'The work failed.',
        faults: [],
        retryAfter: undefined,
        cause,
      },
    }
  } finally {
    clearTimeout(timer)
    cancel.close()
  }
}

/** From the clock of `Date.now()` to that of `performance.now()`. */
function ownTime(time: number): number {
  return time - Date.now() + performance.now()
}

/** The body as JSON that follows the schema; undefined where nobody has parsed it yet. */
function bodyOf(rawBody: Buffer, schema: object | undefined): unknown {
  if (schema === undefined) return undefined
  const body = readJson(rawBody)
  listed = rawBody.length <= MAX_LISTED_BYTES
  const verdict = validators.get(schema)?.(body) ?? true
  if (verdict !== true) throw brokenSchema('body', verdict.error)
  return body
}

/**
 * Bytes that nothing else looks at: a slice of the request or of a shared pool cannot be given away. Nor can no
 * bytes at all, which may be a constant: Node.js 24 gives the same memory away only once, and the thread that
 * tries it again ends.
 */
function owned(bytes: Buffer): Uint8Array {
  const { byteOffset, byteLength, buffer } = bytes
  const isWhole = byteOffset === 0 && byteLength === buffer.byteLength && byteLength > 0
  return isWhole ? bytes : Uint8Array.prototype.slice.call(bytes)
}
