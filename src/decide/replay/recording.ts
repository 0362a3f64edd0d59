/** What the models of a run said, as data: enough to decide the same conversation again without them. */
import type {
  DecideFailure,
  DecideLink,
  DecideTraits,
  DecisionSite,
  SummarizeFailure,
} from '../../engine/ports.ts'

/** JSON as it stands in a request and in an answer: infinities and what is undefined are null. */
export interface Recording {
  /** null where no model decided. */
  readonly decide: RecordedDecide | null
  /** null where none was written. */
  readonly summarize: RecordedSummarize | null
}

export interface RecordedDecide {
  readonly model: RecordedModel
  /** In the order in which they were made. */
  readonly calls: readonly RecordedCall[]
}

export interface RecordedModel {
  readonly wire: string
  readonly model: string
  readonly order: DecideTraits['order']
  readonly riskBudget: number | null
  /** null: any number. */
  readonly maxQuestions: number | null
  readonly sites: readonly DecisionSite[]
}

export interface RecordedCall {
  readonly site: DecisionSite
  /** Of all that was asked: the same key is the same call. */
  readonly key: string
  readonly answers: readonly RecordedAnswer[]
  readonly wire: string
  readonly model: string
  readonly latencyMs: number
  readonly requests: number
  readonly notAsked: number
  readonly voted?: number
  readonly abstained?: true
  readonly links?: readonly DecideLink[]
  readonly failure?: DecideFailure
  /** Of the model that answered, where that was not the one that is named above. */
  readonly traits?: Pick<RecordedModel, 'order' | 'riskBudget'>
}

/** A probability; or a confidence, with what it is about: a score or a choice. */
export interface RecordedAnswer {
  /** Of a message `msg__` and its number. */
  readonly id: string
  /** Of the message and the request that it was judged for: the answer is about nothing else. */
  readonly about?: string
  readonly probability?: number
  readonly score?: number
  readonly choice?: string
  readonly confidence?: number
}

export interface RecordedSummarize {
  readonly model: string
  readonly maxInputTokens: number
  readonly calls: readonly RecordedSummary[]
}

export interface RecordedSummary {
  /** Of the instructions and the material. */
  readonly key: string
  readonly latencyMs: number
  /** Present where there is no text. */
  readonly failure?: SummarizeFailure
  readonly text?: string
  readonly model?: string
  readonly toolCalls?: boolean
  readonly refused?: boolean
  readonly truncated?: boolean
}
