/** One run of the engine on a conversation that has been read: decided, applied and checked. */
import { type CompactInput, compact } from '../engine/compact.ts'
import type { Ports } from '../engine/ports.ts'
import type { CompactionReport, Outcome } from '../engine/report.ts'
import type { JsonObject } from '../engine/transcript.ts'
import type { Violation } from '../formats/adapter.ts'
import { compareChange } from '../formats/change-rule.ts'
import { newViolations } from './new-violations.ts'
import type { ReadConversation } from './read-conversation.ts'
import type { ConversationServices } from './services.ts'

/** What a run needs from outside besides the services. */
export type RunPorts = Pick<Ports, 'signal' | 'modelSignal' | 'modelDeadlineAt'> & {
  readonly observer?: Ports['observer']
  /** Bytes of each message as it was posted; measured where it is not given, and only if bytes are limited. */
  readonly itemBytes?: () => readonly number[]
}

export interface EditedConversation {
  /** The conversation to send: the very payload that was read where nothing changed. */
  readonly payload: JsonObject
  readonly report: CompactionReport
  /** Wire rules that `payload` breaks. */
  readonly violations: readonly Violation[]
  /** Wire rules that the edited conversation would have broken; it was not returned. */
  readonly brokenRules: readonly string[]
}

export async function editConversation(
  conversation: ReadConversation,
  settings: Omit<CompactInput, 'transcript'>,
  services: Pick<ConversationServices, 'decide' | 'summarize'>,
  run: RunPorts,
): Promise<EditedConversation> {
  const { transcript, adapter, counter } = conversation
  const report = await compact(
    { transcript, ...settings },
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
  if (report.outcome === 'unchanged') return unedited(conversation, report)
  return verifyEdit(conversation, adapter.write(conversation.payload, report.plan), report)
}

/**
 * The edit, if it breaks no wire rule that the posted conversation kept; else the posted
 * conversation, with a report that says so.
 */
export function verifyEdit(
  { adapter, payload }: Pick<ReadConversation, 'adapter' | 'payload'>,
  edited: JsonObject,
  report: CompactionReport,
): EditedConversation {
  const before = adapter.check(payload)
  const after = adapter.check(edited)
  const change = compareChange(adapter, payload, edited, report.plan)
  const brokenRules = newViolations(before, [...after, ...change])
  if (brokenRules.length === 0) return { payload: edited, report, violations: after, brokenRules }
  return { payload, report: undo(report, brokenRules), violations: before, brokenRules }
}

export function unedited(
  { adapter, payload }: Pick<ReadConversation, 'adapter' | 'payload'>,
  report: CompactionReport,
): EditedConversation {
  return { payload, report, violations: adapter.check(payload), brokenRules: [] }
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
