import type { Plan } from '../engine/edit.ts'
import type { CountTokens, JsonObject, Transcript } from '../engine/transcript.ts'

export type FormatId = 'openai-chat' | 'anthropic-messages' | 'neurolink'

/** What an adapter needs from outside to read a conversation. */
export interface ReadContext {
  /** Counts text with the model's own counter (its estimate factor included). */
  readonly countTokens: CountTokens
  /** Tokens of an image by the provider's rule; either side undefined when not known. */
  readonly countImage: (image: { width?: number; height?: number; detail?: string }) => number
  /** Tokens of a document (PDF) by its pages, when known, else by its bytes. */
  readonly countDocument: (document: { pages?: number; bytes?: number }) => number
}

/** One broken wire rule. `rule` is stable; `pointer` is a JSON Pointer into the payload. */
export interface Violation {
  readonly rule: string
  readonly pointer: string
  readonly detail: string
}

/**
 * Reads one wire format and applies plans to it. The payload is the object of the request body that
 * holds the conversation members (`messages`, and `system`, `tools`, `model` where the format has them).
 */
export interface FormatAdapter {
  readonly id: FormatId
  /**
   * Evidence found in the payload that only this format has (`yes`), that this format cannot have
   * (`no`), or none (`maybe`). Looks at structure only.
   */
  readonly detect: (payload: JsonObject) => 'yes' | 'maybe' | 'no'
  /** Throws PrecisError('invalid-conversation') with a fault per place. Never mutates, never copies. */
  readonly read: (payload: JsonObject, context: ReadContext) => Transcript
  /**
   * Applies the plan copy-on-write: untouched messages are the very same objects, an empty plan
   * returns the payload itself.
   */
  readonly write: (payload: JsonObject, plan: Plan) => JsonObject
  /** Tokens of a message that an insertion becomes in this format (framing included). */
  readonly countInsertion: (text: string, countTokens: CountTokens) => number
  /** Wire rules, for input and output alike. Independent of `read`. */
  readonly check: (payload: JsonObject) => readonly Violation[]
}
