import type { IncomingHttpHeaders } from 'node:http'
import type { WireFormat } from '../wire-rules/index.ts'
import type { JsonRecord } from '../wire-rules/json.ts'

/** Which API a request speaks, by its path alone. */
export type LlmApi = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini'

export interface Reply {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** Where a request goes; `count` asks for the number of its tokens and for no answer. */
export interface LlmRoute {
  readonly api: LlmApi
  readonly action: 'generate' | 'count'
  /** Gemini names the model and the way of answering in its path, the others in the body. */
  readonly model?: string
  readonly stream?: 'sse' | 'json-array'
}

export interface ModelCall {
  readonly id: string
  readonly name: string
  readonly input: JsonRecord
}

/** What the model says, in no API's words. */
export interface ModelTurn {
  readonly text: string
  readonly calls: readonly ModelCall[]
}

export interface TurnContext {
  /** Eight hexadecimal digits, the same for the same bytes of a request. */
  readonly seed: string
  readonly model: string
  readonly usage: { readonly input: number; readonly output: number }
  readonly body: JsonRecord
}

export interface Overflow {
  /** Tokens of the prompt, tools included. */
  readonly tokens: number
  readonly window: number
  /** What the request wants to leave for the answer. */
  readonly output: number | undefined
}

/** One API, written from its provider's documents and refusals. */
export interface LlmProtocol {
  readonly format: WireFormat
  readonly authorise: (headers: IncomingHttpHeaders, url: URL) => Reply | undefined
  /** Refuses what misses a required member or has one that the API does not know. */
  readonly validate: (body: JsonRecord) => Reply | undefined
  /** The refusal of a conversation that breaks the rule at the pointer. */
  readonly refuse: (rule: string, pointer: string, body: JsonRecord) => Reply
  /** The request as `validate` and the rules see it, with a user's message behind its conversation. */
  readonly withQuestion: (body: JsonRecord) => JsonRecord
  /** Everything that the model reads. */
  readonly prompt: (body: JsonRecord) => unknown
  readonly outputLimit: (body: JsonRecord) => number | undefined
  readonly overflow: (overflow: Overflow) => Reply
  readonly overflowsInStream?: (context: TurnContext) => readonly string[]
  readonly toolNames: (body: JsonRecord) => readonly string[]
  /** Inputs of all calls that the conversation holds. */
  readonly callInputs: (body: JsonRecord) => readonly unknown[]
  readonly isStream: (body: JsonRecord, route: LlmRoute) => boolean
  readonly answer: (turn: ModelTurn, context: TurnContext) => unknown
  /** The stream, one SSE event each, blank line included. */
  readonly events: (turn: ModelTurn, context: TurnContext) => readonly string[]
  readonly countReply: (tokens: number) => unknown
  readonly error: (status: number, message?: string) => Reply
  /** What the provider sends when it fails after its stream has begun. */
  readonly errorEvent: () => string
}
