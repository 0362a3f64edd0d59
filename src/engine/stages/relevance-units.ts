/** From answers to what may go: each candidate by itself, or a question together with its answer. */
import { receiptText } from '../marker.ts'
import { isDirectAnswer } from '../plain-answer.ts'
import type { Ports } from '../ports.ts'
import type { Verdict } from '../report.ts'
import type { StageInput } from '../stage.ts'
import type { RelevanceCandidate } from './relevance-candidates.ts'
import { isClearable } from './relevance-exchanges.ts'
import type { Judged } from './relevance-policy.ts'

export interface Answered {
  readonly candidate: RelevanceCandidate
  readonly verdict: Verdict
}

export interface RelevanceUnit extends Judged {
  readonly answered: readonly Answered[]
  /** What stands in the place of the results of an exchange that is cleared. */
  readonly receipts: readonly Receipt[]
}

interface Receipt {
  readonly entry: number
  readonly part: number
  readonly text: string
}

/**
 * The candidates that were answered, in conversation order, those that go together as one. With
 * `pairs` a question without a verdict keeps its answer, and the other way round.
 */
export function groupAnswered(
  candidates: readonly RelevanceCandidate[],
  verdicts: ReadonlyMap<string, Verdict>,
  pairs: boolean,
  input: StageInput,
): Answered[][] {
  const groups: Answered[][] = []
  for (let index = 0; index < candidates.length; index += 1) {
    const candidate = candidates[index]
    const next = candidates[index + 1]
    if (candidate === undefined) continue
    const isPair = pairs && next !== undefined && isQuestionWithAnswer(candidate, next, input)
    if (isPair) index += 1
    const together = isPair ? [candidate, next] : [candidate]
    const answered = together.flatMap((one): Answered[] => {
      const verdict = verdicts.get(one.document.id)
      return verdict === undefined ? [] : [{ candidate: one, verdict }]
    })
    if (answered.length === together.length) groups.push(answered)
  }
  return groups
}

function isQuestionWithAnswer(
  question: RelevanceCandidate,
  answer: RelevanceCandidate,
  { transcript }: StageInput,
): boolean {
  const [first = 0] = question.entries
  const entry = transcript.entries[first]
  return (
    question.exchange === undefined &&
    answer.exchange === undefined &&
    entry !== undefined &&
    isDirectAnswer(entry, answer.entries, transcript.entries)
  )
}

/** The least confident of its verdicts that it is not needed. */
export function neededMost(answered: readonly Answered[]): Verdict {
  return answered
    .map(({ verdict }) => verdict)
    .reduce((most, verdict) => (verdict.probability > most.probability ? verdict : most))
}

/** Weighs units, each receipt's text counted once. */
export function createWeigher(
  input: StageInput,
  ports: Pick<Ports, 'countTokens'>,
): (answered: readonly Answered[]) => RelevanceUnit {
  const counted = new Map<string, number>()
  const countReceipt = (text: string): number => {
    const tokens = counted.get(text) ?? ports.countTokens(text)
    counted.set(text, tokens)
    return tokens
  }
  return (answered) => {
    const entries = answered.flatMap(({ candidate }) => candidate.entries)
    const exchange = answered[0]?.candidate.exchange
    const receipts: Receipt[] = []
    let clearSavings = 0
    for (const index of exchange?.members ?? []) {
      const entry = input.transcript.entries[index]
      for (const [part, result] of entry?.parts.entries() ?? []) {
        if (entry === undefined || !isClearable(result)) continue
        const text = receiptText(result)
        const savings = input.state.partTokens(entry, part) - countReceipt(text)
        // A short result says more than the line in its place.
        if (savings <= 0) continue
        receipts.push({ entry: index, part, text })
        clearSavings += savings
      }
    }
    return {
      answered,
      receipts,
      clearSavings,
      entries,
      verdict: neededMost(answered),
      questions: answered.length,
      risk: answered.reduce((sum, { verdict }) => sum + verdict.probability, 0),
      dropSavings:
        exchange?.mayDrop === false
          ? 0
          : entries.reduce((sum, entry) => sum + input.state.tokensOf(entry), 0),
      claim: exchange?.claim,
    }
  }
}
