import type { DecisionDocument, Ports } from '../ports.ts'
import { ask } from '../questions/ask.ts'
import { GATE_QUESTIONS, gateState, readGate } from '../questions/summary-gate.ts'
import type { GateReport } from '../report.ts'
import { type Entry, entryText } from '../transcript.ts'

/**
 * A server has to be shown all originals at once, and each takes some room however short its
 * preview. Beyond this many, neighbours share a document.
 */
const MAX_DOCUMENTS = 300

/**
 * Whether a summary may replace the messages. Fails open: refusing a summary leaves truncation,
 * which loses strictly more, so only a confident rejection refuses one.
 */
export async function askGate(
  summary: string,
  replaced: readonly Entry[],
  minConfidence: number,
  ports: Pick<Ports, 'decide' | 'modelSignal' | 'modelDeadlineAt'>,
): Promise<GateReport> {
  const { decide } = ports
  if (decide === undefined) return { accepted: true, failOpen: 'no-decide-model' }
  if (!decide.traits.sites.has('summary-gate'))
    return { accepted: true, failOpen: 'no-decide-model' }
  const originals = toDocuments(replaced)
  const result = await ask(
    decide,
    { site: 'summary-gate', questions: GATE_QUESTIONS, state: gateState(summary, originals) },
    ports,
  )
  const report = readGate(result.answers, minConfidence)
  return result.failure === undefined || !report.accepted
    ? report
    : { ...report, failOpen: result.failure }
}

function toDocuments(replaced: readonly Entry[]): DecisionDocument[] {
  const size = Math.max(1, Math.ceil(replaced.length / MAX_DOCUMENTS))
  const documents: DecisionDocument[] = []
  for (let start = 0; start < replaced.length; start += size) {
    const [first, ...others] = replaced.slice(start, start + size)
    if (first === undefined) break
    const id = `original__${documents.length}`
    documents.push(
      others.length === 0
        ? {
            id,
            role: first.role,
            text: entryText(first),
            ...(first.speaker !== undefined && { speaker: first.speaker }),
          }
        : { id, role: first.role, text: [first, ...others].map(labelledText).join('\n') },
    )
  }
  return documents
}

function labelledText(entry: Entry): string {
  return `${entry.role}: ${entryText(entry)}`
}
