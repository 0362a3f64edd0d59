/** What a caller may ask of a conversation, whatever way the request came in. */
import type { Recording } from '../decide/replay/recording.ts'
import type { Explain } from '../engine/actions.ts'
import type { OptionOverrides, ProfileName } from '../engine/options.ts'
import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import type { FormatId } from '../formats/adapter.ts'
import { LIST_MEMBERS } from '../formats/conversation-list.ts'

/** The members of a request that belong to the conversation, as the provider's API names them. */
export interface ConversationMembers {
  readonly messages?: readonly JsonValue[]
  /** OpenAI Responses, in place of `messages`. */
  readonly input?: string | readonly JsonValue[]
  /** Gemini, in place of `messages`. */
  readonly contents?: readonly JsonValue[]
  readonly system?: JsonValue
  readonly instructions?: JsonValue
  readonly systemInstruction?: JsonValue
  readonly system_instruction?: JsonValue
  readonly tools?: readonly JsonValue[] | JsonObject
  /** Tools of OpenAI's first tool API. */
  readonly functions?: readonly JsonValue[]
  /** Anthropic's thinking settings: they decide what the checker demands of thinking blocks. */
  readonly thinking?: JsonObject
  /** Anthropic's caching of the whole request: it takes one of the breakpoints that the checker counts. */
  readonly cache_control?: JsonObject | null
  readonly model?: string
}

/** A file that will ride beside the conversation; it takes room and is not edited. */
export type FileAttachment =
  | string
  | { readonly name?: string; readonly text: string }
  | { readonly name?: string; readonly tokens: number }

export interface BudgetFields {
  readonly contextWindow?: number
  readonly maxOutputTokens?: number
  readonly compactionThreshold?: number
  readonly files?: readonly FileAttachment[]
}

export interface CompactRequest extends ConversationMembers, BudgetFields {
  readonly format?: FormatId
  readonly currentRequest?: string | null
  readonly targetTokens?: number
  /**
   * For a history that is posted whole on every turn: compact it in steps, each down to this share of
   * what lies between the floor and the target, 0 to 1.
   */
  readonly lowWater?: number
  /** First messages that stay byte for byte, whatever the target. */
  readonly frozenMessages?: number
  /** Most bytes of the returned conversation as JSON. */
  readonly maxBytes?: number
  /** Message numbers or ids. */
  readonly pins?: readonly (number | string)[]
  readonly profile?: ProfileName
  readonly options?: OptionOverrides
  readonly dryRun?: boolean
  readonly explain?: Explain
  /** The answer carries what the models said, as data. */
  readonly record?: boolean
  /** What models said of this conversation in an earlier run, in their place: none is asked. */
  readonly replay?: Recording
}

export interface BudgetRequest extends ConversationMembers, BudgetFields {
  readonly format?: FormatId
  readonly currentRequest?: string
}

const MEMBERS = [
  'model',
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'tools',
  'functions',
  'thinking',
  'cache_control',
  ...LIST_MEMBERS,
] as const

/** The object that adapters read: the conversation's own members and nothing else. */
export function payloadOf(members: ConversationMembers): JsonObject {
  const payload: JsonObject = {}
  for (const name of MEMBERS) {
    const value = members[name]
    if (value !== undefined) payload[name] = value as JsonValue
  }
  return payload
}
