export type WireFormat =
  | 'openai-chat'
  | 'anthropic-messages'
  | 'neurolink'
  | 'openai-responses'
  | 'gemini'
  | 'ai-sdk'

/**
 * The part of a request that the rules speak about. The conversation stands in one of the first
 * three members, by format; other members of a payload are ignored.
 */
export interface WirePayload {
  readonly messages?: unknown
  readonly input?: unknown
  readonly contents?: unknown
  readonly system?: unknown
  readonly tools?: unknown
  readonly cache_control?: unknown
  readonly model?: unknown
}

/** One broken rule. `pointer` is an RFC 6901 pointer into the payload, to the thing at fault. */
export interface Fault {
  readonly rule: string
  readonly pointer: string
}
