export type JsonObject = Record<string, unknown>

/** A conversation as it would arrive: plain JSON that went through JSON.parse, so it may own `__proto__`. */
export interface ConversationPayload extends JsonObject {
  messages?: JsonObject[]
  /** A string stands for the user's one message. */
  input?: JsonObject[] | string
  contents?: JsonObject[]
  system?: unknown
  tools?: unknown
}

/** Bounds for the number of messages, opening and tail included. */
export interface ConversationSize {
  readonly minMessages?: number
  readonly maxMessages?: number
}

/** 60 messages: enough for every shape to occur, small enough to shrink and to read. */
export const DEFAULT_MAX_MESSAGES = 60

/** For the properties that only show on long histories (P13, caps, splitting of batches). */
export const LONG: Required<ConversationSize> = { minMessages: 60, maxMessages: 300 }
