/** What a caller may ask of a conversation, whatever way the request came in. */
import type { Explain } from '../engine/actions.ts'
import type { OptionOverrides, ProfileName } from '../engine/options.ts'
import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import type { FormatId } from '../formats/adapter.ts'

/** The members of a request that belong to the conversation, as the provider's API names them. */
export interface ConversationMembers {
  readonly messages: JsonValue[]
  readonly system?: JsonValue
  readonly tools?: JsonValue[]
  /** Tools of OpenAI's first tool API. */
  readonly functions?: JsonValue[]
  /** Anthropic's thinking settings: they decide what the checker demands of thinking blocks. */
  readonly thinking?: JsonObject
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
  /** Message numbers or ids. */
  readonly pins?: readonly (number | string)[]
  readonly profile?: ProfileName
  readonly options?: OptionOverrides
  readonly dryRun?: boolean
  readonly explain?: Explain
}

export interface BudgetRequest extends Partial<ConversationMembers>, BudgetFields {
  readonly format?: FormatId
  readonly currentRequest?: string
}

/** The object that adapters read: the conversation's own members and nothing else. */
export function payloadOf(members: Partial<ConversationMembers>): JsonObject {
  return {
    ...(members.model !== undefined && { model: members.model }),
    ...(members.system !== undefined && { system: members.system }),
    ...(members.tools !== undefined && { tools: members.tools }),
    ...(members.functions !== undefined && { functions: members.functions }),
    ...(members.thinking !== undefined && { thinking: members.thinking }),
    messages: members.messages ?? [],
  }
}
