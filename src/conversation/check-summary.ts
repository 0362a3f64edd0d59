/** Judges a summary that somebody else wrote, by the rules that bind our own. */
import { SUMMARY_PREFIX } from '../engine/marker.ts'
import type { Ports } from '../engine/ports.ts'
import type { GateReport } from '../engine/report.ts'
import { summaryBody } from '../engine/stages/summarize.ts'
import { findSummaryFault, type SummaryFault } from '../engine/summary/checks.ts'
import { askGate } from '../engine/summary/gate.ts'
import { entryTokens, type Warning } from '../engine/transcript.ts'
import type { FormatId } from '../formats/adapter.ts'
import { readConversation } from './read-conversation.ts'
import type { ConversationMembers } from './request.ts'
import type { ConversationServices } from './services.ts'

export interface SummaryCheckRequest extends ConversationMembers {
  readonly summary: string
  readonly format?: FormatId
  /** |2p - 1| with which the gate must reject. */
  readonly minRejectConfidence?: number
}

export interface SummaryCheckResult {
  readonly accepted: boolean
  readonly reason: SummaryFault | 'gate' | null
  readonly checks: {
    readonly fault: SummaryFault | null
    readonly summaryTokens: number
    readonly replacedTokens: number
  }
  readonly gate: GateReport | null
  readonly warnings: readonly Warning[]
}

export async function checkSummary(
  request: SummaryCheckRequest,
  services: ConversationServices,
  ports: Pick<Ports, 'modelSignal' | 'modelDeadlineAt'>,
): Promise<SummaryCheckResult> {
  const { transcript, adapter, counter } = readConversation(request, services)
  const { entries } = transcript
  const previous = entries.filter((entry) => entry.flags.summary === true).map(summaryBody)
  const text = request.summary.startsWith(SUMMARY_PREFIX)
    ? request.summary.slice(SUMMARY_PREFIX.length)
    : request.summary
  const summaryTokens = adapter.countInsertion(
    `${SUMMARY_PREFIX}${text.trim()}`,
    counter.countTokens,
  )
  const replacedTokens = entries.reduce((sum, entry) => sum + entryTokens(entry), 0)
  const fault =
    findSummaryFault({
      text,
      toolCalls: false,
      refused: false,
      tokens: summaryTokens,
      replacedTokens,
      allowedTokens: Number.POSITIVE_INFINITY,
      previous: previous.length === 0 ? undefined : previous.join('\n\n'),
    }) ?? null
  const checks = { fault, summaryTokens, replacedTokens }
  const { warnings } = transcript
  if (fault !== null) return { accepted: false, reason: fault, checks, gate: null, warnings }
  const gate = await askGate(text, entries, request.minRejectConfidence ?? 0.6, {
    modelSignal: ports.modelSignal,
    ...(ports.modelDeadlineAt !== undefined && { modelDeadlineAt: ports.modelDeadlineAt }),
    ...(services.decide !== undefined && { decide: services.decide }),
  })
  return { accepted: gate.accepted, reason: gate.accepted ? null : 'gate', checks, gate, warnings }
}
