/** From a posted conversation to the answer: read, resolve the budget, run, apply, check. */
import type { Budget, Sourced } from '../engine/budget.ts'
import { compact } from '../engine/compact.ts'
import { PrecisError } from '../engine/errors.ts'
import { resolveOptions } from '../engine/options.ts'
import type { Ports } from '../engine/ports.ts'
import type { CompactionReport, Outcome } from '../engine/report.ts'
import type { JsonObject, JsonValue, Warning } from '../engine/transcript.ts'
import { SAFETY_FACTOR_FOR_ESTIMATES } from '../tokens/token-counter.ts'
import { budgetOf, measurePosted, postedTarget } from './budget-conversation.ts'
import { locateCurrentRequest } from './current-request.ts'
import { newViolations } from './new-violations.ts'
import { resolvePins } from './pins.ts'
import { type ReadConversation, readConversation } from './read-conversation.ts'
import type { CompactRequest } from './request.ts'
import type { ConversationServices } from './services.ts'
import { describeCounter, type TokenizerReport } from './tokenizer-report.ts'

export interface TargetReport {
  /** Most tokens that the returned conversation may have. */
  readonly targetTokens: Sourced
  /** What the caller asked for, where a safety factor lowered it. */
  readonly requestedTokens: number | null
  readonly safetyFactor: number | null
  readonly floor: CompactionReport['floor']
  /** The arithmetic, where the target was computed. */
  readonly arithmetic: Budget | null
}

export interface CompactResult {
  readonly format: string
  readonly dryRun: boolean
  readonly tokenizer: TokenizerReport
  readonly budget: TargetReport
  readonly report: CompactionReport
  /** The conversation to send: the posted one itself where nothing changed, and in a dry run. */
  readonly messages: JsonValue[]
  /** Wire rules that the edited conversation would have broken; it was not returned. */
  readonly violations: readonly string[]
}

/** What a run needs from outside besides the services. */
export type RunPorts = Pick<Ports, 'signal' | 'modelSignal'> & {
  readonly observer?: Ports['observer']
}

export async function compactConversation(
  request: CompactRequest,
  services: ConversationServices,
  run: RunPorts,
): Promise<CompactResult> {
  const conversation = readConversation(request, services)
  const { transcript, adapter, counter, payload } = conversation
  const target = resolveTarget(request, conversation, services)
  const report = await compact(
    {
      transcript,
      target: target.targetTokens.value,
      options: resolveOptions(
        request.profile ?? services.defaultProfile,
        services.defaultOptions,
        request.options,
      ),
      currentRequest: request.currentRequest,
      pins: resolvePins(request.pins, transcript),
      explain: request.explain ?? 'changed',
    },
    {
      countTokens: counter.countTokens,
      countInsertion: (text) => adapter.countInsertion(text, counter.countTokens),
      signal: run.signal,
      modelSignal: run.modelSignal,
      ...(run.observer !== undefined && { observer: run.observer }),
      ...(services.decide !== undefined && { decide: services.decide }),
      ...(services.summarize !== undefined && { summarize: services.summarize }),
    },
  )
  const applied = apply(conversation, report)
  const { warnings, ...budget } = target
  return {
    format: adapter.id,
    dryRun: request.dryRun === true,
    tokenizer: describeCounter(counter),
    budget: { ...budget, floor: report.floor },
    report: { ...applied.report, warnings: [...warnings, ...applied.report.warnings] },
    messages: messagesOf(request.dryRun === true ? payload : applied.payload),
    violations: applied.violations,
  }
}

interface Target extends Omit<TargetReport, 'floor'> {
  readonly warnings: readonly Warning[]
}

function resolveTarget(
  request: CompactRequest,
  conversation: ReadConversation,
  services: ConversationServices,
): Target {
  const { transcript, counter } = conversation
  const current = locateCurrentRequest(transcript, request.currentRequest, counter.countTokens)
  if (request.targetTokens !== undefined) {
    const requested = Math.floor(request.targetTokens)
    // An estimate may be low; what it calls the target must still fit by the provider's count.
    const value = counter.estimated
      ? Math.max(1, Math.floor(requested * SAFETY_FACTOR_FOR_ESTIMATES))
      : requested
    return {
      targetTokens: { value, source: 'request' },
      requestedTokens: requested,
      safetyFactor: counter.estimated ? SAFETY_FACTOR_FOR_ESTIMATES : null,
      arithmetic: null,
      warnings: [],
    }
  }
  const posted = measurePosted(transcript, current)
  const { budget, warnings } = budgetOf(
    request,
    request.model ?? modelOf(conversation),
    posted,
    counter,
    services,
    undefined,
  )
  return {
    targetTokens: { value: postedTarget(budget, posted), source: 'computed' },
    requestedTokens: null,
    safetyFactor: null,
    arithmetic: budget,
    warnings,
  }
}

function modelOf(conversation: ReadConversation): string | undefined {
  const { model } = conversation.payload
  return typeof model === 'string' ? model : undefined
}

interface Applied {
  readonly payload: JsonObject
  readonly report: CompactionReport
  readonly violations: readonly string[]
}

/** The edit is returned only if it breaks no wire rule that the input kept. */
function apply(conversation: ReadConversation, report: CompactionReport): Applied {
  const { adapter, payload } = conversation
  if (report.outcome === 'unchanged') return { payload, report, violations: [] }
  const edited = adapter.write(payload, report.plan)
  const violations = newViolations(adapter.check(payload), adapter.check(edited))
  if (violations.length === 0) return { payload: edited, report, violations }
  return { payload, report: undo(report, violations), violations }
}

function undo(report: CompactionReport, violations: readonly string[]): CompactionReport {
  const outcome: Outcome = 'unchanged'
  return {
    ...report,
    outcome,
    fits: report.tokensBefore <= report.target,
    tokensAfter: report.tokensBefore,
    stagesUsed: [],
    actions: [],
    drops: [],
    stages: report.stages.map((stage) => ({
      ...stage,
      ...(stage.status === 'applied' && { status: 'rejected', reason: 'invariant-violation' }),
      tokensBefore: report.tokensBefore,
      tokensAfter: report.tokensBefore,
      dropped: 0,
      rewritten: 0,
    })),
    ...(report.relevance !== undefined && { relevance: { ...report.relevance, dropped: 0 } }),
    warnings: [
      ...report.warnings,
      {
        code: 'invariant-violation',
        message: `The edited conversation would break ${violations.join(', ')}; the input is returned.`,
      },
    ],
  }
}

function messagesOf(payload: JsonObject): JsonValue[] {
  const { messages } = payload
  if (!Array.isArray(messages)) throw new PrecisError('internal', 'The payload lost its messages.')
  return messages
}
