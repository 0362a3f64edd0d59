/**
 * What a chat API looks like to the summariser: how a request is written and how an answer is read.
 * A dialect is pure; sending, timing and classifying failures happen once, outside of it.
 */

export interface SummaryPrompt {
  readonly model: string
  /** System text. */
  readonly instructions: string
  /** The material, sent as one user message. */
  readonly input: string
  /** Upper bound of the answer, in the model's own tokens. */
  readonly maxOutputTokens: number
}

/** What a well-formed answer says. The text may be empty: judging it is the engine's business. */
export interface SummaryReply {
  readonly text: string
  /** The model called a tool, instead of writing or beside it. */
  readonly toolCalls: boolean
  /** The provider says that the model refused or that a filter stepped in, in whatever language. */
  readonly refused: boolean
  /** The output limit cut the text. */
  readonly truncated: boolean
  /** The model that answered, as the server names it; undefined when it does not say. */
  readonly model: string | undefined
}

export interface SummarizerDialect {
  readonly name: 'openai' | 'anthropic'
  /** Headers of every request. The key is sent here and nowhere else. */
  readonly headers: (apiKey: string | undefined) => Record<string, string>
  /** The JSON body: no tools, no streaming, no sampling parameters. */
  readonly body: (prompt: SummaryPrompt) => Record<string, unknown>
  /** Reads the body of a 2xx answer; null when it is not an answer of this dialect. */
  readonly read: (payload: unknown) => SummaryReply | null
}
