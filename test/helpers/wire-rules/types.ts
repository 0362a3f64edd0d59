export type WireFormat = 'openai-chat' | 'anthropic-messages' | 'neurolink'

/** The part of a request that the rules speak about. Other members of a payload are ignored. */
export interface WirePayload {
  readonly messages: readonly unknown[]
  readonly system?: unknown
  readonly tools?: unknown
}

/** One broken rule. `pointer` is an RFC 6901 pointer into the payload, to the thing at fault. */
export interface Fault {
  readonly rule: string
  readonly pointer: string
}
