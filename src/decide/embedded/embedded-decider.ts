/**
 * The decide model that ships with the service: lexical relevance in this process, no network, no
 * model file. Answers relevance questions only; what it cannot judge it leaves unanswered, which
 * keeps and accepts.
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
import { matchDocuments } from './features.ts'
import { probabilities } from './probability.ts'
import { type CountedDocument, countDocument, type Query, readQuery } from './query.ts'
import { createTermFilter } from './term-filter.ts'

/** Expected number of needed messages that one pass may lose. Design section 4. */
const RISK_BUDGET = 0.05

/** Code units read between two turns of the event loop: about 5 ms of work. */
const CHUNK_LENGTH = 131_072

const TRAITS: DecideTraits = {
  wire: 'embedded',
  model: MODEL_VERSION,
  order: 'least-needed-first',
  riskBudget: RISK_BUDGET,
  maxQuestions: Number.POSITIVE_INFINITY,
  sites: new Set(['relevance']),
}

export function createEmbeddedDecider(): DecidePort {
  return { traits: TRAITS, decide }
}

async function decide(request: DecideRequest): Promise<DecideResult> {
  const startedAt = performance.now()
  const answers = request.site === 'relevance' ? await judge(request) : new Map<string, Answer>()
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
async function judge(request: DecideRequest): Promise<Map<string, Answer> | undefined> {
  const { questions, state, signal } = request
  if (signal.aborted) return undefined
  const answers = new Map<string, Answer>()
  const asked = state.fields.current_request ?? ''
  if (asked.trim() === '' || state.documents.length === 0) return answers

  const needed = await neededOf(state, readQuery(asked), signal)
  if (needed === undefined) return undefined
  const positions = new Map(state.documents.map((document, index) => [document.id, index]))
  for (const question of questions) {
    if (question.kind !== 'boolean' || question.about === undefined) continue
    const probability = needed[positions.get(question.about) ?? -1]
    if (probability !== undefined) answers.set(question.id, { kind: 'boolean', probability })
  }
  return answers
}

/** P(needed) by document. A request without a word (an emoji, "???") says nothing of any. */
async function neededOf(
  state: DecisionState,
  query: Query,
  signal: AbortSignal,
): Promise<readonly number[] | undefined> {
  if (query.size === 0) {
    const rows = state.documents.map(() => new Float64Array())
    return probabilities({ rows, strength: 0 }, [])
  }
  const documents = [...state.documents, ...recentDocuments(state)]
  const counted = await countAll(documents, query, signal)
  if (counted === undefined) return undefined
  return probabilities(matchDocuments(counted, state.documents.length, query.size), counted)
}

/** The recent window without what is judged anyway and without the request itself. */
function recentDocuments(state: DecisionState): DecisionDocument[] {
  const judged = new Set(state.documents.map((document) => document.id))
  const request = (state.fields.current_request ?? '').trim()
  return state.recent.filter(({ id, text }) => !judged.has(id) && text.trim() !== request)
}

async function countAll(
  documents: readonly DecisionDocument[],
  query: Query,
  signal: AbortSignal,
): Promise<CountedDocument[] | undefined> {
  const filter = createTermFilter(query.keys())
  const counted: CountedDocument[] = []
  let sinceTurn = 0
  for (const document of documents) {
    counted.push(countDocument(document, query, filter))
    sinceTurn += document.text.length
    if (sinceTurn < CHUNK_LENGTH) continue
    sinceTurn = 0
    await nextTurn()
    if (signal.aborted) return undefined
  }
  return counted
}
