/** From a posted conversation to the answer: read, resolve the budget, run, apply, check. */
import type { Budget, Sourced } from '../engine/budget.ts'
import { compact } from '../engine/compact.ts'
import { resolveOptions } from '../engine/options.ts'
import type { Ports } from '../engine/ports.ts'
import type { CompactionReport, Outcome } from '../engine/report.ts'
import type { JsonObject, JsonValue, Warning } from '../engine/transcript.ts'
import type { Violation } from '../formats/adapter.ts'
import { compareChange } from '../formats/change-rule.ts'
import { itemsOf, type ListMember } from '../formats/conversation-list.ts'
import { SAFETY_FACTOR_FOR_ESTIMATES } from '../tokens/token-counter.ts'
import { budgetOf, measurePosted, postedTarget } from './budget-conversation.ts'
import { locateCurrentRequest } from './current-request.ts'
import { newViolations } from './new-violations.ts'
import { resolvePins } from './pins.ts'
import { type ReadConversation, readConversation } from './read-conversation.ts'
import type { CompactRequest } from './request.ts'
import type { ConversationServices } from './services.ts'
import { describeCounter, type TokenizerReport } from './tokenizer-report.ts'
import { type ListedViolations, listViolations } from './violations.ts'

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

/** `violations`: wire rules that the returned conversation breaks, and the posted one did. */
export interface CompactResult extends ListedViolations {
  readonly format: string
  readonly dryRun: boolean
  readonly tokenizer: TokenizerReport
  readonly budget: TargetReport
  readonly report: CompactionReport
  /** Member that holds the conversation. */
  readonly list: ListMember
  /** The conversation to send: the posted one itself where nothing changed, and in a dry run. */
  readonly conversation: JsonValue
  /** Its messages, items or contents. */
  readonly messages: readonly JsonValue[]
  /** Wire rules that the edited conversation would have broken; it was not returned. */
  readonly brokenRules: readonly string[]
}

/** What a run needs from outside besides the services. */
export type RunPorts = Pick<Ports, 'signal' | 'modelSignal' | 'modelDeadlineAt'> & {
  readonly observer?: Ports['observer']
  /** Bytes of each message as it was posted; measured where it is not given, and only if bytes are limited. */
  readonly itemBytes?: () => readonly number[]
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
      ...(request.maxBytes !== undefined && {
        bytes: { max: request.maxBytes, sizes: byteSizes(conversation, run.itemBytes) },
      }),
    },
    {
      countTokens: counter.countTokens,
      countInsertion: (text) => adapter.countInsertion(text, counter.countTokens),
      signal: run.signal,
      modelSignal: run.modelSignal,
      ...(run.modelDeadlineAt !== undefined && { modelDeadlineAt: run.modelDeadlineAt }),
      ...(run.observer !== undefined && { observer: run.observer }),
      ...(services.decide !== undefined && { decide: services.decide }),
      ...(services.summarize !== undefined && { summarize: services.summarize }),
    },
  )
  const applied = apply(conversation, report)
  const { warnings, ...budget } = target
  const returned = request.dryRun === true ? payload : applied.payload
  return {
    format: adapter.id,
    dryRun: request.dryRun === true,
    tokenizer: describeCounter(counter),
    budget: { ...budget, floor: report.floor },
    report: { ...applied.report, warnings: [...warnings, ...applied.report.warnings] },
    list: adapter.list,
    conversation: returned[adapter.list] ?? [],
    messages: itemsOf(returned, adapter.list),
    ...listViolations(applied.violations, adapter),
    brokenRules: applied.brokenRules,
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

/** Of each message as JSON, with the comma or bracket after it. */
function byteSizes(
  { payload, adapter }: ReadConversation,
  given: RunPorts['itemBytes'],
): readonly number[] {
  const sizes = given?.() ?? itemsOf(payload, adapter.list).map(jsonSize)
  return sizes.map((size) => size + 1)
}

function jsonSize(item: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(item))
}

interface Applied {
  readonly payload: JsonObject
  readonly report: CompactionReport
  readonly violations: readonly Violation[]
  readonly brokenRules: readonly string[]
}

/** The edit is returned only if it breaks no wire rule that the input kept. */
function apply(conversation: ReadConversation, report: CompactionReport): Applied {
  const { adapter, payload } = conversation
  const before = adapter.check(payload)
  if (report.outcome === 'unchanged') {
    return { payload, report, violations: before, brokenRules: [] }
  }
  const edited = adapter.write(payload, report.plan)
  const after = adapter.check(edited)
  const change = compareChange(adapter, payload, edited, report.plan)
  const brokenRules = newViolations(before, [...after, ...change])
  if (brokenRules.length === 0) return { payload: edited, report, violations: after, brokenRules }
  return { payload, report: undo(report, brokenRules), violations: before, brokenRules }
}

function undo(report: CompactionReport, violations: readonly string[]): CompactionReport {
  const outcome: Outcome = 'unchanged'
  const { bytes } = report
  return {
    ...report,
    outcome,
    fits:
      report.tokensBefore <= report.target && (bytes === undefined || bytes.before <= bytes.max),
    bytes: bytes && { ...bytes, after: bytes.before },
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
