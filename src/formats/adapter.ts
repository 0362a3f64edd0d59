import type { Plan } from '../engine/edit.ts'
import type { CountTokens, JsonObject, Transcript } from '../engine/transcript.ts'
import type { MediaProvider } from '../tokens/media.ts'
import type { ChangeRule } from './change-rule.ts'
import type { ListMember } from './conversation-list.ts'
import type { FindEvidence } from './evidence.ts'

export const FORMAT_IDS = [
  'openai-chat',
  'anthropic-messages',
  'neurolink',
  'openai-responses',
  'ai-sdk',
  'gemini',
] as const

export type FormatId = (typeof FORMAT_IDS)[number]

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

/** Name of a rule, and where the provider states or enforces it. */
export interface RuleSource {
  readonly id: string
  readonly source: string
}

/**
 * Reads one wire format and applies plans to it. The payload is the object of the request body that
 * holds the conversation (`messages`, `input` or `contents`) and what the format has beside it.
 */
export interface FormatAdapter {
  readonly id: FormatId
  /** Member of the payload that holds the conversation. */
  readonly list: ListMember
  /**
   * A conversation that names no model is counted for this one (undefined: the default counter), its
   * media by the rules of this provider.
   */
  readonly usual: { readonly model: string | undefined; readonly provider: MediaProvider }
  /** What in the payload's structure only this format has, and what it cannot have. */
  readonly findEvidence: FindEvidence
  /** Throws PrecisError('invalid-conversation') with a fault per place. Never mutates, never copies. */
  readonly read: (payload: JsonObject, context: ReadContext) => Transcript
  /**
   * Applies the plan copy-on-write: untouched messages are the very same objects, an empty plan
   * returns the payload itself.
   */
  readonly write: (payload: JsonObject, plan: Plan) => JsonObject
  /** Tokens of a message that an insertion becomes in this format (framing included). */
  readonly countInsertion: (text: string, countTokens: CountTokens) => number
  /** The rules that `check` applies. */
  readonly rules: readonly RuleSource[]
  /** Wire rules, for input and output alike. Independent of `read`. */
  readonly check: (payload: JsonObject) => readonly Violation[]
  /** Rules of this format that only input and output together can break, beside those of all formats. */
  readonly changeRules: readonly ChangeRule[]
}
