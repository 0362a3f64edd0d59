/**
 * What the engine asks of the world. Implementations live in `decide/` and `summarizer/`; the engine
 * knows only these types. No port may throw for a reason other than a bug: a failure is a value, and
 * the engine still survives a throw.
 */
import type { CountTokens } from './transcript.ts'

// ---------------------------------------------------------------- decide

/** `about` names the document that the question judges, when it judges one. */
export type Question =
  | {
      readonly id: string
      readonly kind: 'boolean'
      readonly about?: string
      readonly instructions: string
      readonly criteria?: { readonly true?: string; readonly false?: string }
    }
  | {
      readonly id: string
      readonly kind: 'choice'
      readonly instructions: string
      readonly choices: readonly { readonly label: string; readonly description?: string }[]
    }
  | {
      readonly id: string
      readonly kind: 'score'
      readonly instructions: string
      /** Ordered, low to high. */
      readonly levels: readonly { readonly label: string; readonly description?: string }[]
    }

/** A boolean carries P(yes) only: its confidence is |2p - 1|, derived where it is read. */
export type Answer =
  | { readonly kind: 'boolean'; readonly probability: number }
  | { readonly kind: 'choice'; readonly choice: string; readonly confidence: number }
  | { readonly kind: 'score'; readonly score: number; readonly confidence: number }

/** A text that questions are about, whole: packing to a server's limits is the port's business. */
export interface DecisionDocument {
  readonly id: string
  readonly role: 'user' | 'assistant' | 'tool' | 'instructions'
  readonly speaker?: string
  readonly text: string
}

export interface DecisionState {
  /** Short named texts that every question may rest on, such as `current_request`. */
  readonly fields: Readonly<Record<string, string>>
  /** What the fields' references ("that variable") resolve against: the newest messages, in order. */
  readonly recent: readonly DecisionDocument[]
  /** The documents that are judged, in conversation order. */
  readonly documents: readonly DecisionDocument[]
}

export type DecisionSite = 'relevance' | 'summary-gate' | 'context-scope'

export interface DecideRequest {
  /** Which judgement this is; never sent to a server. */
  readonly site: DecisionSite
  readonly questions: readonly Question[]
  readonly state: DecisionState
  readonly signal: AbortSignal
  /** When `signal` aborts by time, on the clock of `performance.now()`; what has it can share it out. */
  readonly deadlineAt?: number
  /** Ask a noisy model again about what it puts near the bar. */
  readonly votes?: Votes
}

export interface Votes {
  /** Times that a question near the bar is asked in all; 1 asks once. */
  readonly count: number
  /** P(yes) at which the decision turns. */
  readonly bar: number
}

/** Why a decision could not be had. A bounded set: it is a metric label. */
export type DecideFailure =
  | 'authentication'
  | 'invalid-request'
  | 'max-tokens-exceeded'
  | 'rate-limit'
  | 'overloaded'
  | 'server'
  | 'timeout'
  | 'network'
  | 'malformed-answer'
  | 'breaker-open'
  | 'busy'
  | 'deadline'
  | 'aborted'
  | 'error'

export interface DecideMeta {
  readonly wire: string
  readonly model: string
  /** Wall milliseconds over all requests of this call. */
  readonly latencyMs: number
  /** Requests sent, retries included. 0 for the embedded model. */
  readonly requests: number
  /** Questions left out because they did not fit the server's limits. */
  readonly notAsked: number
  /** Questions whose answer is the mean of several votes. Undefined where none was asked again. */
  readonly voted?: number
  /** It read all that it was asked about and has no opinion of any of it: nothing failed, nothing is answered. */
  readonly abstained?: boolean
  /** What each model of a fallback chain came to, in the order in which they were asked. */
  readonly links?: readonly DecideLink[]
}

export interface DecideLink {
  readonly wire: string
  /** `unanswered`: it answered nothing that it was asked, however well its answer arrived. */
  readonly result: 'answered' | 'unanswered' | 'abstained' | DecideFailure
  /** Questions that it answered. */
  readonly answered: number
}

/** Ids without an answer were not answered; a partial failure keeps the answers that did come. */
export type DecideResult = DecideMeta & {
  readonly answers: ReadonlyMap<string, Answer>
  /** Present when something failed, even if other requests of the call were answered. */
  readonly failure?: DecideFailure
  /** How far these answers can be trusted, where another model than the port's own has answered. */
  readonly traits?: Pick<DecideTraits, 'order' | 'riskBudget'>
}

/** How far an implementation's answers can be trusted to rank, and how many it takes. */
export interface DecideTraits {
  readonly wire: string
  readonly model: string
  /** Default `order` of the relevance stage. */
  readonly order: 'oldest-first' | 'least-needed-first'
  /** Default risk budget, undefined where probabilities are not calibrated to be summed. */
  readonly riskBudget: number | undefined
  /** Most questions of one pass. Infinity for a model in this process. */
  readonly maxQuestions: number
  /** Kinds of question it answers. A relevance-only model leaves the gate unanswered. */
  readonly sites: ReadonlySet<DecisionSite>
}

export interface DecidePort {
  readonly traits: DecideTraits
  readonly decide: (request: DecideRequest) => Promise<DecideResult>
}

// ---------------------------------------------------------------- summarize

export interface SummarizeRequest {
  /** System text: what to write and how. */
  readonly instructions: string
  /** The material to be summarised, as data. */
  readonly input: string
  readonly signal: AbortSignal
}

export type SummarizeFailure = Exclude<DecideFailure, 'malformed-answer'> | 'malformed-response'

export type SummarizeResult =
  | {
      readonly ok: true
      readonly text: string
      readonly model: string
      /** The model answered with tool calls instead of (or beside) text. */
      readonly toolCalls: boolean
      /** The provider says that the model refused, in whatever language. */
      readonly refused: boolean
      /** The model stopped because it ran out of output tokens. */
      readonly truncated: boolean
      readonly latencyMs: number
    }
  | { readonly ok: false; readonly failure: SummarizeFailure; readonly latencyMs: number }

export interface SummarizePort {
  readonly model: string
  /** Most tokens of instructions + input that the summariser's window takes. */
  readonly maxInputTokens: number
  readonly summarize: (request: SummarizeRequest) => Promise<SummarizeResult>
}

// ---------------------------------------------------------------- all

/** Called around each stage, so that the edge can time and trace what the engine does without a clock. */
export interface StageObserver {
  readonly stageStarted: (stage: string) => void
  readonly stageFinished: (stage: string) => void
}

export interface Ports {
  readonly countTokens: CountTokens
  /** Tokens of a message that an insertion becomes in the conversation's format. */
  readonly countInsertion: (text: string) => number
  readonly decide?: DecidePort
  readonly summarize?: SummarizePort
  readonly observer?: StageObserver
  /** The caller went away: the run stops and throws. */
  readonly signal: AbortSignal
  /** No model may take longer: the run goes on without it. Aborts with `signal` too. */
  readonly modelSignal: AbortSignal
  /** When `modelSignal` aborts by time, on the clock of `performance.now()`. */
  readonly modelDeadlineAt?: number
}
