/** What a decision of the relevance stage changes, and the reason that each message is given. */
import type { Edit } from '../edit.ts'
import type { ActionReason } from '../report.ts'
import type { Departure } from './relevance-departures.ts'
import type { Answered, RelevanceUnit } from './relevance-units.ts'

export function relevanceEdits({ unit, manner }: Departure<RelevanceUnit>): Edit[] {
  if (manner === 'drop') return unit.answered.flatMap(dropAnswered)
  const { probability, confidence } = unit.verdict
  const isSecondBest = unit.dropSavings > 0
  const reason: ActionReason = isSecondBest ? 'claim-kept' : 'not-needed'
  return unit.receipts.map(
    (receipt): Edit => ({ op: 'replace-text', ...receipt, reason, probability, confidence }),
  )
}

function dropAnswered({ candidate, verdict }: Answered): Edit[] {
  const { probability, confidence } = verdict
  const reports = new Set(candidate.exchange?.reports)
  return candidate.entries.map((entry): Edit => {
    const reason: ActionReason = reports.has(entry) ? 'evidence-dropped' : 'not-needed'
    return { op: 'drop', entry, reason, probability, confidence }
  })
}
