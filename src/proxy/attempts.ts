/** What can be made of one request: its budget met, counted only, or smaller than an upstream takes. */
import type { CompactResult } from '../conversation/compact-conversation.ts'
import { compactWithin } from './compact-within.ts'
import { goesOnFromHeld } from './held-conversation.ts'
import type { ProxyReason } from './names.ts'
import type { ProxyNote } from './note.ts'
import { harderTarget } from './overflow/harder-target.ts'
import type { Overflow } from './overflow/recognise.ts'
import { type PrepareCall, type Prepared, type PrepareOptions, passed } from './prepared.ts'
import { compactRequestOf, modelOf, rewriteBody } from './proxied-request.ts'
import type { ReadBody } from './read-body.ts'
import type { Generation } from './surface.ts'

/** More tokens than any request has: counts without compacting. */
const NO_TARGET = 1_000_000_000

/** Below this share of the window two counts of the same text do not differ so much that it is too long. */
const WATCHED_SHARE = 0.5

export interface Attempts {
  /** The request within its budget. */
  readonly first: () => Promise<Prepared>
  /** What would be said of the request if it were counted and left as it is. */
  readonly count: () => Promise<ProxyNote>
  readonly harder: NonNullable<Prepared['harder']>
}

export function createAttempts(
  text: Buffer,
  generation: Generation,
  call: PrepareCall,
  options: PrepareOptions,
): Attempts {
  let read: ReadBody | ProxyReason | undefined
  let ownTokens: number | undefined

  /** Without a target: the budget that the model and the request give. */
  const run = async (targetTokens?: number): Promise<Run | ProxyReason> => {
    read ??= options.reader.parse(text)
    if (typeof read === 'string') return read
    if (goesOnFromHeld(read.json, generation.format)) return 'held-by-provider'
    const request = compactRequestOf(read, generation, call.asked)
    const target = targetTokens ?? request.targetTokens
    const { source } = options.conversation.windows.lookup(request.model)
    if (target === undefined && source === 'default') return 'unknown-model'
    const aimed = target === undefined ? request : { ...request, targetTokens: target }
    const result = await compactWithin(aimed, call, options)
    return typeof result === 'string' ? result : { result, read }
  }

  const count = async (): Promise<ProxyNote> => {
    const counted = await run(NO_TARGET)
    if (typeof counted === 'string') return { outcome: 'passed', reason: counted }
    const { tokensBefore } = counted.result.report
    ownTokens = tokensBefore
    return { outcome: 'unchanged', tokensBefore, tokensAfter: tokensBefore }
  }

  const harder = async (overflow: Overflow): Promise<Prepared | undefined> => {
    if (ownTokens === undefined) await count()
    if (ownTokens === undefined) return undefined
    const again = await run(harderTarget(overflow, ownTokens))
    if (typeof again === 'string' || again.result.report.tokensAfter >= ownTokens) return undefined
    return preparedFrom(again, call)
  }

  return {
    count,
    harder,
    first: async () => {
      const tried = await run()
      if (typeof tried === 'string') {
        const came = passed(call.body, tried)
        const mayBeTooLong = tellsInEvents(generation)
        return NOT_UNDERSTOOD.has(tried) ? came : { ...came, harder, mayBeTooLong }
      }
      ownTokens = tried.result.report.tokensAfter
      const { windows } = options.conversation
      const { contextWindow } = windows.lookup(modelOf(tried.read, generation))
      const mayBeTooLong = tellsInEvents(generation) && ownTokens >= contextWindow * WATCHED_SHARE
      return { ...preparedFrom(tried, call), harder, mayBeTooLong }
    },
  }
}

/** Asking for less of the same would fail in the same way. */
const NOT_UNDERSTOOD: ReadonlySet<ProxyReason> = new Set([
  'not-json',
  'other-format',
  'held-by-provider',
  'too-many-messages',
])

/** The one API that reports a prompt that is too long within a stream. */
function tellsInEvents({ format }: Generation): boolean {
  return format === 'openai-responses'
}

interface Run {
  readonly result: CompactResult
  readonly read: ReadBody
}

function preparedFrom({ result, read }: Run, call: PrepareCall): Prepared {
  const { report, steps } = result
  const cached = steps?.cached ?? null
  const reason = reasonOf(result)
  const isRewritten = report.outcome !== 'unchanged'
  return {
    body: isRewritten ? rewriteBody(read, result) : call.body,
    isRewritten,
    note: {
      outcome: report.outcome,
      ...(reason !== undefined && { reason }),
      tokensBefore: report.tokensBefore,
      tokensAfter: report.tokensAfter,
      stages: report.stagesUsed,
      ...(isRewritten && cached !== null && { cachedPrefix: cached.kept ? 'kept' : 'changed' }),
    },
  }
}

/** A computed target never counts what compaction cannot touch; what the model can take does. */
function reasonOf({ report, brokenRules, budget }: CompactResult): ProxyReason | undefined {
  if (brokenRules.length > 0) return 'withheld'
  const available = budget.arithmetic?.available.value ?? Number.POSITIVE_INFINITY
  return report.fits && report.tokensAfter <= available ? undefined : 'budget-unreachable'
}
