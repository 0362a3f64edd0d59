/**
 * The decide model that ships with the service: shared words and likeness of meaning, in this process,
 * without a network. Answers relevance questions only; what it cannot judge it leaves unanswered,
 * which keeps and accepts.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type {
  Answer,
  DecidePort,
  DecideRequest,
  DecideResult,
  DecideTraits,
  DecisionDocument,
  DecisionState,
} from '../../engine/ports.ts'
import { MODEL_VERSION } from './coefficients.ts'
import { type AddEmbedding, defaultEmbedder } from './embed.ts'
import { matchDocuments, type ReadDocument } from './features.ts'
import { isMute, probabilities } from './probability.ts'
import { countDocument, type Query, readQuery } from './query.ts'
import { createTermFilter } from './term-filter.ts'
import { createVectorCache, type VectorCache } from './vector-cache.ts'

/** Expected number of needed messages that one pass may lose. Design section 4. */
const RISK_BUDGET = 0.05

/** Code units read between two turns of the event loop: about 5 ms of work. */
const CHUNK_LENGTH = 65_536

/** Bytes of vectors that are remembered: those of some 10,000 messages. */
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
  /** Bound of the vectors that are remembered, by the hash of their message; 0 remembers none. */
  readonly cacheBytes?: number
  /** Where vectors come from: the table of this package, which is read at the first request. */
  readonly embedder?: () => AddEmbedding
}

export function createEmbeddedDecider({
  cacheBytes = CACHE_BYTES,
  embedder = defaultEmbedder,
}: EmbeddedDeciderOptions = {}): DecidePort {
  const vectors = createVectorCache(embedder, cacheBytes)
  return { traits: TRAITS, decide: (request) => decide(request, vectors) }
}

async function decide(request: DecideRequest, vectors: VectorCache): Promise<DecideResult> {
  const startedAt = performance.now()
  const answers =
    request.site === 'relevance' ? await judge(request, vectors) : new Map<string, Answer>()
  return {
    answers: answers ?? new Map<string, Answer>(),
    wire: TRAITS.wire,
    model: TRAITS.model,
    latencyMs: performance.now() - startedAt,
    requests: 0,
    notAsked: 0,
    ...(answers === undefined && { failure: failureOf(request.signal) }),
  }
}

function failureOf(signal: AbortSignal): 'deadline' | 'aborted' {
  const reason: unknown = signal.reason
  return reason instanceof DOMException && reason.name === 'TimeoutError' ? 'deadline' : 'aborted'
}

/** Answers by question id; undefined when the signal was aborted. */
async function judge(
  { questions, state, signal }: DecideRequest,
  vectors: VectorCache,
): Promise<Map<string, Answer> | undefined> {
  if (signal.aborted) return undefined
  const answers = new Map<string, Answer>()
  const needed = await neededOf(state, vectors, signal)
  if (needed === undefined) return undefined
  const positions = new Map(state.documents.map((document, index) => [document.id, index]))
  for (const question of questions) {
    if (question.kind !== 'boolean' || question.about === undefined) continue
    const probability = needed[positions.get(question.about) ?? -1]
    if (probability !== undefined) answers.set(question.id, { kind: 'boolean', probability })
  }
  return answers
}

/**
 * P(needed) by document. None at all where the request names nothing that the conversation knows ("do it
 * again", an emoji): there the model has no opinion of any, and says so by silence.
 */
async function neededOf(
  state: DecisionState,
  vectors: VectorCache,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  const asked = state.fields.current_request ?? ''
  const query = readQuery(asked)
  if (query.size === 0 || state.documents.length === 0) return []
  const documents = [...state.documents, ...recentDocuments(state)]
  const read = await readAll(documents, query, vectors, signal)
  if (read === undefined) return undefined
  const request = { query, vector: vectors.vectorOf({ text: asked }) }
  const matches = matchDocuments(read, state.documents.length, request)
  return isMute(matches) ? [] : probabilities(matches, read)
}

/** The recent window without what is judged anyway and without the request itself. */
function recentDocuments(state: DecisionState): DecisionDocument[] {
  const judged = new Set(state.documents.map((document) => document.id))
  const request = (state.fields.current_request ?? '').trim()
  return state.recent.filter(({ id, text }) => !judged.has(id) && text.trim() !== request)
}

async function readAll(
  documents: readonly DecisionDocument[],
  query: Query,
  vectors: VectorCache,
  signal: AbortSignal,
): Promise<ReadDocument[] | undefined> {
  const filter = createTermFilter(query.keys())
  const read: ReadDocument[] = []
  let sinceTurn = 0
  for (const document of documents) {
    read.push({
      counted: countDocument(document, query, filter),
      vector: vectors.vectorOf(document),
    })
    sinceTurn += document.text.length
    if (sinceTurn < CHUNK_LENGTH) continue
    sinceTurn = 0
    await nextTurn()
    if (signal.aborted) return undefined
  }
  return read
}
