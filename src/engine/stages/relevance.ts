/**
 * Drops messages that the current request does not need, on a confident no and nothing less. The
 * only stage that knows what the request is about.
 */
import type { Edit } from '../edit.ts'
import { clearedText } from '../marker.ts'
import type { DecideResult, DecideTraits, Ports } from '../ports.ts'
import { ask } from '../questions/ask.ts'
import {
  type Candidate,
  documentId,
  relevanceQuestion,
  relevanceState,
} from '../questions/relevance.ts'
import { isConfidentNo, readBoolean } from '../questions/verdict.ts'
import type { RelevanceReport, Verdict } from '../report.ts'
import type { StageInput, StageOutput } from '../stage.ts'
import { entryText } from '../transcript.ts'
import { collectCandidates, isClearable } from './relevance-candidates.ts'
import { choose, type Judged } from './relevance-policy.ts'

export async function relevance(input: StageInput, ports: Ports): Promise<StageOutput> {
  const { decide } = ports
  if (decide === undefined) return { edits: [], skipped: 'no-decide-model' }
  const { currentRequest } = input
  if (currentRequest === undefined || currentRequest.trim() === '') {
    return { edits: [], skipped: 'no-current-request' }
  }
  const limit = Math.min(
    decide.traits.maxQuestions,
    Number.isFinite(decide.traits.maxQuestions)
      ? input.options.relevance.maxQuestions
      : Number.POSITIVE_INFINITY,
  )
  const eligible = collectCandidates(input)
  if (eligible.length === 0 || limit <= 0) return { edits: [], skipped: 'nothing-eligible' }

  // The oldest are asked: the newest are the likeliest to be needed, and are kept unasked.
  const candidates = eligible.length > limit ? eligible.slice(0, limit) : eligible
  const result = await ask(
    decide,
    {
      site: 'relevance',
      questions: candidates.map(relevanceQuestion),
      state: relevanceState(currentRequest, candidates, recentDocuments(input, candidates)),
    },
    ports,
  )
  const beyondLimit = eligible.length - candidates.length
  return decideEdits(input, ports, decide.traits, candidates, beyondLimit, result)
}

function decideEdits(
  input: StageInput,
  ports: Ports,
  traits: DecideTraits,
  candidates: readonly Candidate[],
  beyondLimit: number,
  result: DecideResult,
): StageOutput {
  const options = input.options.relevance
  const judged: Omit<Judged, 'savings'>[] = []
  const needed = new Map<number, number>()
  for (const candidate of candidates) {
    const verdict = readBoolean(result.answers.get(candidate.document.id))
    if (verdict === undefined) continue
    for (const entry of candidate.entries) needed.set(entry, verdict.probability)
    judged.push({ candidate, verdict })
  }
  const flagged = judged.filter(({ verdict }) => isConfidentNo(verdict, options.minDropConfidence))
  const asked = Math.max(0, candidates.length - result.notAsked)
  const order = options.order ?? traits.order
  // What is no smaller once it is cleared would use up a cap for nothing.
  const worthwhile = flagged
    .map((one) => ({ ...one, savings: savingsOf(one.candidate, input, ports) }))
    .filter(({ savings }) => savings > 0)
  const chosen = choose(worthwhile, {
    order,
    maxDrops: Math.floor(asked * options.maxDropRatio),
    riskBudget: options.riskBudget === undefined ? traits.riskBudget : options.riskBudget,
    tokensNeeded: options.stopAtTarget ? input.state.total - input.target : undefined,
  })
  // A model that answers nothing it was asked has failed, however well its answer arrived.
  const failOpen =
    result.failure ?? (asked > 0 && judged.length === 0 ? ('unanswered' as const) : undefined)
  const report: RelevanceReport = {
    asked,
    answered: judged.length,
    flagged: flagged.length,
    dropped: chosen.dropped.length,
    notAsked: beyondLimit + result.notAsked,
    capHit: chosen.capHit,
    order,
    expectedNeededLost: chosen.dropped.reduce((sum, { verdict }) => sum + verdict.probability, 0),
    model: result.model,
    wire: result.wire,
    latencyMs: result.latencyMs,
    requests: result.requests,
    ...(failOpen !== undefined && { failOpen }),
  }
  return {
    edits: chosen.dropped.flatMap(({ candidate, verdict }) => toEdits(candidate, verdict, input)),
    relevance: report,
    needed,
    probabilities: judged.map(({ verdict }) => verdict.probability),
    // A model that judged nothing ranks nothing: truncation goes on as if it did not exist.
    rankByNeed: order === 'least-needed-first' && judged.length > 0,
  }
}

function toEdits(candidate: Candidate, verdict: Verdict, input: StageInput): Edit[] {
  const { probability, confidence } = verdict
  const why = { reason: 'not-needed', probability, confidence }
  if (!isExchange(candidate) || input.options.relevance.toolExchanges === 'drop') {
    return candidate.entries.map((entry): Edit => ({ op: 'drop', entry, ...why }))
  }
  return resultsOf(candidate, input).map(
    ({ entry, part, receipt }): Edit => ({
      op: 'replace-text',
      entry,
      part,
      text: receipt,
      ...why,
    }),
  )
}

function isExchange(candidate: Candidate): boolean {
  return candidate.document.role === 'tool'
}

/** The results of an exchange that can be cleared, each with what would stand in its place. */
function resultsOf(candidate: Candidate, input: StageInput) {
  return candidate.entries.flatMap((index) => {
    const entry = input.transcript.entries[index]
    if (entry === undefined) return []
    return entry.parts.flatMap((part, partIndex) => {
      if (!isClearable(part)) return []
      const tokens = input.state.partTokens(entry, partIndex)
      const outcome = part.isError === true ? 'failed' : 'succeeded'
      const receipt = clearedText(part.toolName, `${outcome}, ${tokens} tokens`)
      return [{ entry: index, part: partIndex, tokens, receipt }]
    })
  })
}

function savingsOf(candidate: Candidate, input: StageInput, ports: Ports): number {
  if (isExchange(candidate) && input.options.relevance.toolExchanges === 'clear') {
    return resultsOf(candidate, input).reduce(
      (sum, { tokens, receipt }) => sum + Math.max(0, tokens - ports.countTokens(receipt)),
      0,
    )
  }
  return candidate.entries.reduce((sum, entry) => sum + input.state.tokensOf(entry), 0)
}

/** What "that variable" refers to: the newest messages, but for those that are judged themselves. */
function recentDocuments(input: StageInput, candidates: readonly Candidate[]) {
  const { entries } = input.transcript
  const judged = new Set(candidates.flatMap((candidate) => candidate.entries))
  return entries
    .slice(Math.max(0, entries.length - Math.max(1, input.options.protectRecent)))
    .filter((entry) => input.state.isAlive(entry.index) && !judged.has(entry.index))
    .map((entry) => ({
      id: documentId(entry.index),
      role: entry.role,
      text: entryText(entry),
      ...(entry.speaker !== undefined && { speaker: entry.speaker }),
    }))
}
