/**
 * Drops messages that the current request does not need, on a confident no and nothing less. The
 * only stage that knows what the request is about.
 */
import type { RelevanceOptions } from '../options.ts'
import type { DecideResult, DecideTraits, Ports, Votes } from '../ports.ts'
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
import { collectCandidates, type RelevanceCandidate } from './relevance-candidates.ts'
import { relevanceEdits } from './relevance-edits.ts'
import { choose } from './relevance-policy.ts'
import { createWeigher, groupAnswered, neededMost } from './relevance-units.ts'

export async function relevance(input: StageInput, ports: Ports): Promise<StageOutput> {
  const { decide } = ports
  if (decide?.traits.sites.has('relevance') !== true) {
    return { edits: [], skipped: 'no-decide-model' }
  }
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
      votes: votesOf(input.options.relevance),
    },
    ports,
  )
  const traits = result.traits ?? decide.traits
  return decideEdits(input, ports, traits, eligible, candidates.length, result)
}

function decideEdits(
  input: StageInput,
  ports: Ports,
  traits: Pick<DecideTraits, 'order' | 'riskBudget'>,
  eligible: readonly RelevanceCandidate[],
  questions: number,
  result: DecideResult,
): StageOutput {
  const options = input.options.relevance
  const order = options.order ?? traits.order
  // The higher of two probabilities means something where they are calibrated, as for a budget.
  const pairs = options.pairs ?? traits.riskBudget !== undefined
  const { verdicts, needed, probabilities } = readVerdicts(eligible.slice(0, questions), result)
  const flagged = groupAnswered(eligible, verdicts, pairs, input).filter((answered) =>
    isConfidentNo(neededMost(answered), options.minDropConfidence),
  )
  const asked = Math.max(0, questions - result.notAsked)
  const { gone, capHit } = choose(flagged.map(createWeigher(input, ports)), {
    order,
    maxDrops: Math.floor(asked * options.maxDropRatio),
    riskBudget: options.riskBudget === undefined ? traits.riskBudget : options.riskBudget,
    tokensNeeded: options.stopAtTarget ? input.state.total - input.target : undefined,
  })
  const hasAbstained =
    result.abstained === true && result.failure === undefined && verdicts.size === 0
  // A model that answers nothing it was asked has failed, however well its answer arrived, unless it says why.
  const failOpen =
    result.failure ??
    (asked > 0 && verdicts.size === 0 && !hasAbstained ? ('unanswered' as const) : undefined)
  const report: RelevanceReport = {
    asked,
    answered: verdicts.size,
    flagged: flagged.reduce((sum, { length }) => sum + length, 0),
    dropped: gone.reduce((sum, { unit }) => sum + unit.questions, 0),
    notAsked: eligible.length - questions + result.notAsked,
    capHit,
    order,
    expectedNeededLost: gone.reduce((sum, { unit }) => sum + unit.risk, 0),
    model: result.model,
    wire: result.wire,
    latencyMs: result.latencyMs,
    requests: result.requests,
    ...(result.voted !== undefined && { voted: result.voted }),
    ...(result.links !== undefined && { links: result.links }),
    ...(hasAbstained && { abstained: true }),
    ...(failOpen !== undefined && { failOpen }),
  }
  return {
    edits: gone.flatMap(relevanceEdits),
    relevance: report,
    needed,
    probabilities,
    // A model that judged nothing ranks nothing: truncation goes on as if it did not exist.
    rankByNeed: order === 'least-needed-first' && verdicts.size > 0,
    ...(hasAbstained && { skipped: 'abstained' }),
  }
}

/** P(needed) at which a no becomes confident is where a second opinion counts. */
function votesOf({ votes, minDropConfidence }: RelevanceOptions): Votes {
  return { count: votes, bar: (1 - minDropConfidence) / 2 }
}

/** Only what was asked, and answered by a probability. */
function readVerdicts(asked: readonly RelevanceCandidate[], { answers }: DecideResult) {
  const verdicts = new Map<string, Verdict>()
  const needed = new Map<number, number>()
  const probabilities: number[] = []
  for (const { document, entries } of asked) {
    const verdict = readBoolean(answers.get(document.id))
    if (verdict === undefined) continue
    verdicts.set(document.id, verdict)
    probabilities.push(verdict.probability)
    for (const entry of entries) needed.set(entry, verdict.probability)
  }
  return { verdicts, needed, probabilities }
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
