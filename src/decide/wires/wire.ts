import type { Answer, DecideTraits, DecisionDocument, Question } from '../../engine/ports.ts'
import type { JsonObject } from '../../engine/transcript.ts'
import type { StatusFailure } from '../../outbound/failure.ts'

/** What a server takes in one request, in its own tokens. */
export interface WireLimits {
  /** State plus the longest single question. */
  readonly maxStateAndLongestQuestionTokens: number
  /** State plus all questions. */
  readonly maxTotalTokens: number
  readonly maxQuestionsPerRequest: number
  /** What the server's own prompt takes of both token limits. */
  readonly requestOverheadTokens: number
  /** What it adds around each question. */
  readonly questionOverheadTokens: number
  /**
   * Where each question is a prompt of its own: the state without its documents, the document that
   * the question is about, and the question. A question about no document in particular has the
   * whole state in its prompt.
   */
  readonly maxPromptTokens?: number
}

/** How the requests of a call are sent where a call takes many of them. */
export interface ManyRequests {
  /** At a time, within what the client allows. */
  readonly parallel: number
  /** The first one goes alone: the server computes what all share once, and then has it cached. */
  readonly firstAlone: boolean
}

/** A state whose texts have their final length. Documents in conversation order, each id once. */
export interface PackedState {
  readonly fields: readonly (readonly [name: string, text: string])[]
  readonly recent: readonly DecisionDocument[]
  readonly documents: readonly DecisionDocument[]
}

export interface PackedRequest {
  readonly questions: readonly Question[]
  readonly state: PackedState
}

interface EncodedRequest {
  readonly body: JsonObject
  /** Beside content type and authorization. */
  readonly headers?: Readonly<Record<string, string>>
}

export interface DecodedResponse {
  /** Questions whose answer is missing, of another type, or out of range have no entry. */
  readonly answers: ReadonlyMap<string, Answer>
  /** The model that answered, as the server names it. */
  readonly model?: string
}

/** How a wire writes what `fit` has to count. Counting the pieces apart must not come to less. */
export interface WireRendering {
  /** The whole state as the model reads it. */
  readonly stateText: (state: PackedState) => string
  /** What one document adds to it. */
  readonly documentText: (document: DecisionDocument) => string
  readonly questionText: (question: Question) => string
}

/** Translates between the port's questions and one wire format. Pure; knows no network. */
export interface Wire {
  readonly id: string
  readonly limits: WireLimits
  readonly traits: Pick<DecideTraits, 'order' | 'riskBudget' | 'sites'>
  readonly rendering: WireRendering
  /**
   * For a wire that takes many small requests per call. A request that fails leaves its questions
   * unanswered, and the others are still sent, until the circuit breaker or the deadline ends it.
   */
  readonly manyRequests?: ManyRequests
  readonly encode: (request: PackedRequest, model: string) => EncodedRequest
  /** undefined when the body is not an answer of this wire at all. */
  readonly decode: (json: unknown, questions: readonly Question[]) => DecodedResponse | undefined
  /** @param json the parsed error body, undefined when it was not JSON */
  readonly classifyError: (status: number, json: unknown) => StatusFailure
}

/** A remote decision model's answers below the bar differ by less than its noise: age decides. */
export const REMOTE_TRAITS: Wire['traits'] = {
  order: 'oldest-first',
  riskBudget: undefined,
  sites: new Set(['relevance', 'summary-gate', 'context-scope']),
}
