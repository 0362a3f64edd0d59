/** A thread that does the work of large requests, with services of its own. */
import { threadId, workerData } from 'node:worker_threads'
import { move, transferableSymbol, valueSymbol } from 'piscina'
import { createValidatorCompiler } from '../contract/validation/bounded-validator.ts'
import { brokenSchema } from '../contract/validation/broken-schema.ts'
import { createConversationServices } from '../create-conversation-services.ts'
import { PrecisError } from '../engine/errors.ts'
import { createJsonReader } from '../http/body/json-body-parser.ts'
import { MAX_LISTED_BYTES } from '../http/plugins/bounded-validation.ts'
import { MAX_BODY_DEPTH } from '../http/plugins/json-body.ts'
import { createMetrics } from '../telemetry/metrics.ts'
import { withinTrace } from '../telemetry/tracing/spans.ts'
import { startTracing } from '../telemetry/tracing/start-tracing.ts'
import { callerSignal } from './caller-signal.ts'
import type { WorkerStart, WorkReply, WorkTask } from './messages.ts'
import { WORK } from './work-table.ts'

const { config } = startOf(workerData)
const metrics = createMetrics({ ofProcess: false })
const conversation = createConversationServices(config, metrics)
const readJson = createJsonReader({ maxDepth: MAX_BODY_DEPTH })
if (config.tracing !== undefined) await startTracing(config.tracing)
let listed = false
const compile = createValidatorCompiler(() => listed)

const validators = new Map(
  Object.values(WORK).map(({ schema }) => [schema as object, compile(schema)]),
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
  const outcome = await withinTrace(task.trace, () => outcomeOf(task))
  const snapshot = (await metrics.registry.getMetricsAsJSON()) as unknown as WorkReply['metrics']
  const reply: WorkReply = { worker: threadId, metrics: snapshot, outcome }
  if (!('answer' in outcome)) return reply
  // The bytes change hands; a copy of 20 MB would hold up the other thread.
  return move({ [transferableSymbol]: [outcome.answer.buffer], [valueSymbol]: reply } as never)
}

async function outcomeOf(task: WorkTask): Promise<WorkReply['outcome']> {
  const { cancel } = task
  const signal = callerSignal(cancel)
  const late = new AbortController()
  const timer = setTimeout(
    () => late.abort(new DOMException('The work ran out of time.', 'TimeoutError')),
    task.modelDeadlineAt - Date.now(),
  )
  try {
    const rawBody = Buffer.from(task.body.buffer, task.body.byteOffset, task.body.byteLength)
    const { work, schema } = WORK[task.work]
    const body = readJson(rawBody)
    listed = rawBody.length <= MAX_LISTED_BYTES
    const verdict = validators.get(schema)?.(body) ?? true
    if (verdict !== true) throw brokenSchema('body', verdict.error)
    const answer = await work(
      { body, rawBody },
      {
        conversation,
        metrics,
        run: {
          signal,
          modelSignal: AbortSignal.any([signal, late.signal]),
          modelDeadlineAt: task.modelDeadlineAt - Date.now() + performance.now(),
        },
      },
    )
    return { answer: owned(answer) }
  } catch (error) {
    const { code, message, faults, retryAfter } =
      error instanceof PrecisError ? error : new PrecisError('internal', 'The work failed.')
    return { error: { code, detail: message, faults, retryAfter } }
  } finally {
    clearTimeout(timer)
    cancel.close()
  }
}

/** Bytes that nothing else looks at: a slice of the request or of a shared pool cannot be given away. */
function owned(bytes: Buffer): Uint8Array {
  const isWhole = bytes.byteOffset === 0 && bytes.byteLength === bytes.buffer.byteLength
  return isWhole ? bytes : Uint8Array.prototype.slice.call(bytes)
}
