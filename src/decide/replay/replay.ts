/** Ports that give recorded answers back, and ask nobody. */
import type {
  Answer,
  DecidePort,
  DecideRequest,
  DecideResult,
  SummarizePort,
  SummarizeResult,
} from '../../engine/ports.ts'
import { callKey, documentNames, summaryKey } from './keys.ts'
import type { ModelPorts } from './record.ts'
import type {
  RecordedAnswer,
  RecordedCall,
  RecordedDecide,
  RecordedSummarize,
  RecordedSummary,
  Recording,
} from './recording.ts'

/**
 * A call that was recorded is answered as it was. Another call, since thresholds decide who is asked
 * about, has the recorded answers to the same questions about the same messages for the same request.
 * Everything else is unanswered, which keeps messages (P6); a summary of other material is not had.
 */
export function createReplay({ decide, summarize }: Recording): ModelPorts {
  return {
    decide: decide === null ? undefined : replayDecide(decide),
    summarize: summarize === null ? undefined : replaySummarize(summarize),
  }
}

function replayDecide({ model, calls }: RecordedDecide): DecidePort {
  const { wire, order, riskBudget, maxQuestions, sites } = model
  const next = inTurn(calls)
  const known = answersAbout(calls)
  return {
    traits: {
      wire,
      model: model.model,
      order,
      riskBudget: riskBudget ?? undefined,
      maxQuestions: maxQuestions ?? Number.POSITIVE_INFINITY,
      sites: new Set(sites),
    },
    decide: async (request) => {
      const call = next(callKey(request))
      return call === undefined
        ? fromOtherCalls(request, known, model)
        : toResult(call, new Map(call.answers.flatMap(toEntry)))
    },
  }
}

/** Of several calls with one key the first, then the second, and so on; the last one stays. */
function inTurn<Call extends { readonly key: string }>(
  calls: readonly Call[],
): (key: string) => Call | undefined {
  const byKey = new Map<string, Call[]>()
  // The last stands first, so that it can stay where it is.
  for (const call of calls.toReversed()) {
    const same = byKey.get(call.key)
    if (same === undefined) byKey.set(call.key, [call])
    else same.push(call)
  }
  return (key) => {
    const same = byKey.get(key)
    return same !== undefined && same.length > 1 ? same.pop() : same?.[0]
  }
}

interface KnownAnswer {
  readonly call: RecordedCall
  readonly answer: RecordedAnswer
}

const placeOf = (site: string, id: string, about: string): string => `${site} ${id} ${about}`

function answersAbout(calls: readonly RecordedCall[]): ReadonlyMap<string, KnownAnswer> {
  const known = new Map<string, KnownAnswer>()
  for (const call of calls) {
    for (const answer of call.answers) {
      if (answer.about === undefined) continue
      const place = placeOf(call.site, answer.id, answer.about)
      if (!known.has(place)) known.set(place, { call, answer })
    }
  }
  return known
}

function fromOtherCalls(
  { site, questions, state }: DecideRequest,
  known: ReadonlyMap<string, KnownAnswer>,
  { wire, model }: RecordedDecide['model'],
): DecideResult {
  const names = documentNames(state)
  const answers = new Map<string, Answer>()
  let source: RecordedCall | undefined
  for (const question of questions) {
    const about = question.kind === 'boolean' ? names.get(question.about ?? '') : undefined
    const found = about === undefined ? undefined : known.get(placeOf(site, question.id, about))
    if (found === undefined) continue
    source ??= found.call
    for (const [id, answer] of toEntry(found.answer)) answers.set(id, answer)
  }
  const nothing = { latencyMs: 0, requests: 0, notAsked: 0 }
  if (source === undefined) return { answers, wire, model, ...nothing }
  const { traits } = source
  return toResult(
    { wire: source.wire, model: source.model, ...nothing, ...(traits !== undefined && { traits }) },
    answers,
  )
}

function toResult(
  call: Omit<RecordedCall, 'site' | 'key' | 'answers'>,
  answers: ReadonlyMap<string, Answer>,
): DecideResult {
  const { wire, model, latencyMs, requests, notAsked, voted, abstained, links, failure, traits } =
    call
  return {
    answers,
    wire,
    model,
    latencyMs,
    requests,
    notAsked,
    ...(voted !== undefined && { voted }),
    ...(abstained === true && { abstained }),
    ...(links !== undefined && { links }),
    ...(failure !== undefined && { failure }),
    ...(traits !== undefined && {
      traits: { order: traits.order, riskBudget: traits.riskBudget ?? undefined },
    }),
  }
}

function toEntry(recorded: RecordedAnswer): [string, Answer][] {
  const { id, probability, score, choice, confidence } = recorded
  if (probability !== undefined) return [[id, { kind: 'boolean', probability }]]
  if (confidence === undefined) return []
  if (score !== undefined) return [[id, { kind: 'score', score, confidence }]]
  return choice === undefined ? [] : [[id, { kind: 'choice', choice, confidence }]]
}

function replaySummarize({ model, maxInputTokens, calls }: RecordedSummarize): SummarizePort {
  const next = inTurn(calls)
  return {
    model,
    maxInputTokens,
    summarize: async (request) => toSummary(next(summaryKey(request)), model),
  }
}

function toSummary(call: RecordedSummary | undefined, model: string): SummarizeResult {
  if (call === undefined) return { ok: false, failure: 'aborted', latencyMs: 0 }
  const { latencyMs, text, failure } = call
  if (text === undefined) return { ok: false, failure: failure ?? 'error', latencyMs }
  const { toolCalls = false, refused = false, truncated = false } = call
  return { ok: true, text, model: call.model ?? model, toolCalls, refused, truncated, latencyMs }
}
