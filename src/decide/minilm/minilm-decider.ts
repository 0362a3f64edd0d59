/**
 * The better tier of the embedded decide model: the same features and the same form, with a sentence encoder's
 * likeness beside that of the static table. Answers everything or nothing: whoever has no answer
 * in time from this one asks the static model.
 */
import type {
  Answer,
  DecidePort,
  DecideRequest,
  DecideResult,
  DecideTraits,
} from '../../engine/ports.ts'
import { clausesOf } from '../embedded/clauses.ts'
import type { DigestCache } from '../embedded/digest-cache.ts'
import { matchDocuments, type ReadDocument, type ReadRequest } from '../embedded/features.ts'
import { highest, readClauses } from '../embedded/judge-documents.ts'
import { CLEARLY_NAMED, isMute, probabilities } from '../embedded/probability.ts'
import { readQuery } from '../embedded/query.ts'
import { readState, recentDocuments } from '../embedded/read-state.ts'
import { isSession } from '../embedded/session-features.ts'
import type { TextVector } from '../embedded/text-vector.ts'
import { EMBEDDED_SITES, MINILM } from '../wire-names.ts'
import { COEFFICIENTS, MODEL_VERSION } from './coefficients.ts'
import type { EmbedTexts } from './embed-texts.ts'
import { speaksLatin } from './speaks-latin.ts'

/** Expected number of needed messages that one pass may lose. Design section 4. */
const RISK_BUDGET = 0.05

const TRAITS: DecideTraits = {
  wire: MINILM,
  model: MODEL_VERSION,
  order: 'least-needed-first',
  riskBudget: RISK_BUDGET,
  maxQuestions: Number.POSITIVE_INFINITY,
  sites: EMBEDDED_SITES,
}

export interface MinilmDeciderOptions {
  /** What is read of the words of messages. */
  readonly digests: DigestCache
  readonly embedTexts: EmbedTexts
  /** Most time of one call, in milliseconds. */
  readonly timeoutMs: number
  /** On the clock of `DecideRequest.deadlineAt`. */
  readonly now?: () => number
}

type Judgement = ReadonlyMap<string, Answer> | 'timeout' | 'deadline' | 'aborted' | 'error'

export function createMinilmDecider({
  digests,
  embedTexts,
  timeoutMs,
  now = () => performance.now(),
}: MinilmDeciderOptions): DecidePort {
  return {
    traits: TRAITS,
    decide: async (request): Promise<DecideResult> => {
      const startedAt = now()
      const deadlineAt = request.deadlineAt ?? Number.POSITIVE_INFINITY
      const giveUpAt = Math.min(deadlineAt, startedAt + timeoutMs)
      const outOfTime = deadlineAt <= giveUpAt ? 'deadline' : 'timeout'
      const judgement =
        request.site === 'relevance'
          ? await judge(request, digests, embedTexts, { giveUpAt, outOfTime })
          : new Map<string, Answer>()
      return {
        answers: typeof judgement === 'string' ? new Map<string, Answer>() : judgement,
        wire: TRAITS.wire,
        model: TRAITS.model,
        latencyMs: now() - startedAt,
        requests: 0,
        notAsked: 0,
        ...(typeof judgement === 'string' && { failure: judgement }),
      }
    },
  }
}

interface Limits {
  readonly giveUpAt: number
  readonly outOfTime: 'timeout' | 'deadline'
}

/**
 * Nothing is answered where the request names nothing that the conversation knows, where it is in a script that
 * the encoder cannot read, and in an agent's session, for which the encoder was not fitted.
 */
async function judge(
  { questions, state, signal }: DecideRequest,
  digests: DigestCache,
  embedTexts: EmbedTexts,
  { giveUpAt, outOfTime }: Limits,
): Promise<Judgement> {
  const asked = state.fields.current_request ?? ''
  const query = readQuery(asked)
  const answers = new Map<string, Answer>()
  if (query.size === 0 || state.documents.length === 0 || !speaksLatin(asked)) return answers
  if (signal.aborted) return failureOf(signal, outOfTime)
  const read = await readState(state, query, digests, signal)
  if (read === undefined) return failureOf(signal, outOfTime)
  const { entries, judged } = read
  if (isSession(entries, judged)) return answers
  const whole: ReadRequest = { query, vector: digests.digestOf({ text: asked }).vector }
  if (isMute(matchDocuments(entries, judged, whole))) return answers
  const documents = [...state.documents, ...recentDocuments(state)]
  const clauses = clausesOf(asked)
  const texts = [...documents, ...[asked, ...clauses].map((text) => ({ text }))]
  let embedded: Awaited<ReturnType<EmbedTexts>>
  try {
    embedded = await embedTexts(texts, { signal, giveUpAt })
  } catch {
    return 'error'
  }
  if (embedded === undefined) return failureOf(signal, outOfTime)
  const vectors = embedded.map((values): TextVector => ({ values, length: 1 }))
  const withVector = <Read extends { readonly vector: TextVector }>(
    one: Read,
    at: number,
  ): Read => {
    return { ...one, vector: vectors[at] ?? one.vector }
  }
  const seen = entries.map(({ counted, vector }, at): ReadDocument => {
    return withVector({ counted, vector }, at)
  })
  const [first, ...others] = [whole, ...readClauses(asked, query, digests)].map((request, at) =>
    matchDocuments(seen, judged, withVector(request, documents.length + at)),
  )
  if (first === undefined) return answers
  const judgements = [first, ...others.filter(({ named }) => named >= CLEARLY_NAMED)]
  const needed = highest(judgements.map((matches) => probabilities(matches, seen, COEFFICIENTS)))
  const positions = new Map(state.documents.map(({ id }, index) => [id, index]))
  for (const question of questions) {
    if (question.kind !== 'boolean' || question.about === undefined) continue
    const probability = needed[positions.get(question.about) ?? -1]
    if (probability !== undefined) answers.set(question.id, { kind: 'boolean', probability })
  }
  return answers
}

/** The signal aborts by time at the deadline of the call, which may pass while this one still counts. */
function failureOf(signal: AbortSignal, outOfTime: Limits['outOfTime']): Judgement {
  if (!signal.aborted) return outOfTime
  const reason: unknown = signal.reason
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'deadline' : 'aborted'
}
