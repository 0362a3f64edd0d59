/**
 * The decide model that ships with the service: shared words and likeness of meaning, in this process,
 * without a network. Answers relevance questions only; what it cannot judge it leaves unanswered,
 * which keeps and accepts.
 */
import type {
  Answer,
  DecidePort,
  DecideRequest,
  DecideResult,
  DecideTraits,
} from '../../engine/ports.ts'
import { MODEL_VERSION } from './coefficients.ts'
import { createDigestCache, type DigestCache } from './digest-cache.ts'
import { defaultEmbedder, type Embedder } from './embed.ts'
import { judgeDocuments } from './judge-documents.ts'

/** Expected number of needed messages that one pass may lose. Design section 4. */
const RISK_BUDGET = 0.05

/** Bytes of what was read that are remembered: some 6,000 messages of 60 words. */
const CACHE_BYTES = 8 * 1024 * 1024

const TRAITS: DecideTraits = {
  wire: 'embedded',
  model: MODEL_VERSION,
  order: 'least-needed-first',
  riskBudget: RISK_BUDGET,
  maxQuestions: Number.POSITIVE_INFINITY,
  sites: new Set(['relevance']),
}

export interface EmbeddedDeciderOptions {
  /** Bound of what is remembered of messages, by their hash; 0 remembers none. */
  readonly cacheBytes?: number
  /** Where vectors come from: the table of this package, which is read at the first request. */
  readonly embedder?: () => Embedder
}

export function createEmbeddedDecider({
  cacheBytes = CACHE_BYTES,
  embedder = defaultEmbedder,
}: EmbeddedDeciderOptions = {}): DecidePort {
  const cache = createDigestCache(embedder, cacheBytes)
  return { traits: TRAITS, decide: (request) => decide(request, cache) }
}

async function decide(request: DecideRequest, cache: DigestCache): Promise<DecideResult> {
  const startedAt = performance.now()
  const judgement = request.site === 'relevance' ? await judge(request, cache) : NOTHING
  return {
    answers: judgement?.answers ?? NOTHING.answers,
    wire: TRAITS.wire,
    model: TRAITS.model,
    latencyMs: performance.now() - startedAt,
    requests: 0,
    notAsked: 0,
    ...(judgement?.abstained === true && { abstained: true }),
    ...(judgement === undefined && { failure: failureOf(request.signal) }),
  }
}

interface Judgement {
  readonly answers: ReadonlyMap<string, Answer>
  readonly abstained: boolean
}

const NOTHING: Judgement = { answers: new Map(), abstained: false }

function failureOf(signal: AbortSignal): 'deadline' | 'aborted' {
  const reason: unknown = signal.reason
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'deadline' : 'aborted'
}

/** Answers by question id; undefined when the signal was aborted. */
async function judge(
  { questions, state, signal }: DecideRequest,
  cache: DigestCache,
): Promise<Judgement | undefined> {
  if (signal.aborted) return undefined
  const needed = await judgeDocuments(state, cache, signal)
  if (needed === undefined) return undefined
  const answers = new Map<string, Answer>()
  const positions = new Map(state.documents.map((document, index) => [document.id, index]))
  for (const question of questions) {
    if (question.kind !== 'boolean' || question.about === undefined) continue
    const probability = needed[positions.get(question.about) ?? -1]
    if (probability !== undefined) answers.set(question.id, { kind: 'boolean', probability })
  }
  return { answers, abstained: needed.length === 0 && state.documents.length > 0 }
}
