/** What can be made of one request: its budget met, counted only, or smaller than an upstream takes. */
import type { CompactResult } from '../conversation/compact-conversation.ts'
import type { ConversationServices } from '../conversation/services.ts'
import type { DecodeJson } from '../http/body/decode-json.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Asked } from './asked.ts'
import { compactWithin, type FailOpen } from './compact-within.ts'
import { goesOnFromHeld } from './held-conversation.ts'
import type { ProxyReason } from './names.ts'
import type { ProxyNote } from './note.ts'
import { harderTarget } from './overflow/harder-target.ts'
import type { Overflow } from './overflow/recognise.ts'
import { parseBody, type ReadBody } from './parse-body.ts'
import { compactRequestOf, modelOf, rewriteBody } from './proxied-request.ts'
import type { Generation } from './surface.ts'

export interface Attempted {
  readonly note: ProxyNote
  /** What to send in place of what came, if anything: plain JSON. */
  readonly rewritten: Buffer | undefined
  /** What was aimed at after a refusal, by the service's own count. */
  readonly aimedTokens?: number
  /** Of what is sent; undefined where it was not counted. */
  readonly ownTokens: number | undefined
  /** Whether the proxy may still ask for less of it. */
  readonly mayGoHarder: boolean
  /** See `Prepared`. */
  readonly mayBeTooLong: boolean
}

/** They fail open: whatever goes wrong but the caller's leaving is a note. */
export interface Attempts {
  /** The request within its budget. */
  readonly first: () => Promise<Attempted>
  /** What would be said of the request if it were counted and left as it is. */
  readonly count: () => Promise<Attempted>
  /**
   * Less than what was refused: `ownTokens` by the service's own count, which is made first where it is
   * not known. Undefined where the request cannot be made smaller.
   */
  readonly harder: (
    overflow: Overflow,
    ownTokens: number | undefined,
  ) => Promise<Attempted | undefined>
}

/** What is known of a request beside its body; plain data. */
export interface AttemptedRequest {
  readonly generation: Generation
  readonly asked: Asked
}

export interface AttemptOptions {
  readonly conversation: ConversationServices
  readonly metrics: Metrics
  readonly decodeJson: DecodeJson
  readonly deadlineMs: number
}

/** More tokens than any request has: counts without compacting. */
const NO_TARGET = 1_000_000_000

/** Below this share of the window two counts of the same text do not differ so much that it is too long. */
const WATCHED_SHARE = 0.5

/** Attempts on this thread. The text is parsed once for all of them. */
export function createAttempts(
  text: Buffer,
  { generation, asked }: AttemptedRequest,
  call: FailOpen,
  options: AttemptOptions,
): Attempts {
  const { conversation } = options
  let read: ReadBody | ProxyReason | undefined

  /** Without a target: the budget that the model and the request give. */
  const run = async (targetTokens?: number): Promise<Run | ProxyReason> => {
    read ??= parseBody(text, options.decodeJson)
    if (typeof read === 'string') return read
    if (goesOnFromHeld(read.json, generation.format)) return 'held-by-provider'
    const request = compactRequestOf(read, generation, asked)
    const target = targetTokens ?? request.targetTokens
    const { source } = conversation.windows.lookup(request.model)
    if (target === undefined && source === 'default') return 'unknown-model'
    const aimed = target === undefined ? request : { ...request, targetTokens: target }
    const result = await compactWithin(aimed, call, options)
    return typeof result === 'string' ? result : { result, read }
  }

  const first = async (): Promise<Attempted> => {
    const tried = await run()
    if (typeof tried === 'string') return notTried(tried, generation)
    const made = attemptedOf(tried)
    const { contextWindow } = conversation.windows.lookup(modelOf(tried.read, generation))
    const share = (made.ownTokens ?? 0) / contextWindow
    return { ...made, mayBeTooLong: tellsInEvents(generation) && share >= WATCHED_SHARE }
  }

  const count = async (): Promise<Attempted> => {
    const counted = await run(NO_TARGET)
    if (typeof counted === 'string') return notTried(counted, generation)
    const { tokensBefore } = counted.result.report
    return {
      note: { outcome: 'unchanged', tokensBefore, tokensAfter: tokensBefore },
      rewritten: undefined,
      ownTokens: tokensBefore,
      mayGoHarder: true,
      mayBeTooLong: false,
    }
  }

  const harder: Attempts['harder'] = async (overflow, known) => {
    const ownTokens = known ?? (await count()).ownTokens
    if (ownTokens === undefined) return undefined
    const aimedTokens = harderTarget(overflow, ownTokens)
    const again = await run(aimedTokens)
    if (typeof again === 'string' || again.result.report.tokensAfter >= ownTokens) return undefined
    return { ...attemptedOf(again), aimedTokens }
  }

  return { first, count, harder }
}

/** Asking for less of the same would fail in the same way. */
const NOT_UNDERSTOOD: ReadonlySet<ProxyReason> = new Set([
  'not-json',
  'other-format',
  'held-by-provider',
  'too-many-messages',
])

/** Of a request that goes as it came. */
export function notTried(reason: ProxyReason, generation: Generation): Attempted {
  const isUnderstood = !NOT_UNDERSTOOD.has(reason)
  return {
    note: { outcome: 'passed', reason },
    rewritten: undefined,
    ownTokens: undefined,
    mayGoHarder: isUnderstood,
    mayBeTooLong: isUnderstood && tellsInEvents(generation),
  }
}

/** The one API that reports a prompt that is too long within a stream. */
export function tellsInEvents({ format }: Generation): boolean {
  return format === 'openai-responses'
}

interface Run {
  readonly result: CompactResult
  readonly read: ReadBody
}

function attemptedOf({ result, read }: Run): Attempted {
  const { report, steps } = result
  const cached = steps?.cached ?? null
  const reason = reasonOf(result)
  const isRewritten = report.outcome !== 'unchanged'
  return {
    rewritten: isRewritten ? rewriteBody(read, result) : undefined,
    note: {
      outcome: report.outcome,
      ...(reason !== undefined && { reason }),
      tokensBefore: report.tokensBefore,
      tokensAfter: report.tokensAfter,
      stages: report.stagesUsed,
      ...(isRewritten && cached !== null && { cachedPrefix: cached.kept ? 'kept' : 'changed' }),
    },
    ownTokens: report.tokensAfter,
    mayGoHarder: true,
    mayBeTooLong: false,
  }
}

/** A computed target never counts what compaction cannot touch; what the model can take does. */
function reasonOf({ report, brokenRules, budget }: CompactResult): ProxyReason | undefined {
  if (brokenRules.length > 0) return 'withheld'
  const available = budget.arithmetic?.available.value ?? Number.POSITIVE_INFINITY
  return report.fits && report.tokensAfter <= available ? undefined : 'budget-unreachable'
}
