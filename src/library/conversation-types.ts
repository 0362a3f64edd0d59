/** What callers of the library hand over and get back, in the types of their own provider's package. */
import type { Recording } from '../decide/replay/recording.ts'
import type { Explain } from '../engine/actions.ts'
import type { OptionOverrides, ProfileName } from '../engine/options.ts'
import type { FormatId } from '../formats/adapter.ts'

/** The conversation under the name that its provider's API gives it. */
export type Conversation =
  | { readonly messages: readonly object[] }
  | { readonly input: string | readonly object[] }
  | { readonly contents: readonly object[] }

/** What the provider's request has beside the conversation: counted, never changed. */
export interface BesideConversation {
  readonly model?: string
  /** Instructions of anthropic-messages and ai-sdk. */
  readonly system?: string | object
  /** Instructions of openai-responses and ai-sdk. */
  readonly instructions?: string | object
  /** Instructions of gemini. */
  readonly systemInstruction?: string | object
  readonly system_instruction?: string | object
  /** A list, or (ai-sdk) an object of tools by their names. */
  readonly tools?: object
  readonly functions?: readonly object[]
  readonly thinking?: object
  readonly cache_control?: object | null
  /** Wire format. Unset: detected by structure. */
  readonly format?: FormatId
}

export interface BudgetSettings {
  readonly contextWindow?: number
  /** Tokens reserved for the answer. */
  readonly maxOutputTokens?: number
  /** Share of the available input, in (0, 1]; only lowers the default of 0.8. */
  readonly compactionThreshold?: number
  readonly files?: readonly (
    | string
    | { readonly name?: string; readonly text: string }
    | { readonly name?: string; readonly tokens: number }
  )[]
}

export interface CompactSettings extends BudgetSettings {
  /** Most tokens of what is returned with what stands beside it. Unset: from the budget. */
  readonly targetTokens?: number
  /** Most bytes of the returned conversation as JSON. */
  readonly maxBytes?: number
  /**
   * For a history that is passed whole on every turn: compact it in steps, each down to this share of
   * what lies between the floor and the target, 0 to 1. Unset: one run for this turn alone.
   */
  readonly lowWater?: number
  /** What the next answer is about. Unset: the last user message; null: not known. */
  readonly currentRequest?: string | null
  /** Numbers or ids of messages that no stage may touch. */
  readonly pins?: readonly (number | string)[]
  readonly profile?: ProfileName
  readonly options?: OptionOverrides
  readonly dryRun?: boolean
  readonly explain?: Explain
  /** The answer carries `recording`: what the models have said. */
  readonly record?: boolean
  /** The `recording` of an earlier run on this conversation, in the models' place. */
  readonly replay?: Recording
}

export type CompactInput = Conversation & BesideConversation & CompactSettings

export type CheckInput = Conversation & BesideConversation

/** No conversation at all asks for the arithmetic alone. */
export type BudgetInput = (Conversation | { readonly messages?: never }) &
  BesideConversation &
  BudgetSettings & { readonly currentRequest?: string }

/**
 * The conversation member of an input, in the caller's own type. What compaction inserts are plain
 * user and assistant messages, which every provider's type takes.
 */
export type ReturnedConversation<Input> = Input extends { readonly messages: infer List }
  ? { readonly messages: Returned<List> }
  : Input extends { readonly input: infer List }
    ? { readonly input: Returned<List> }
    : Input extends { readonly contents: infer List }
      ? { readonly contents: Returned<List> }
      : never

type Returned<List> = List extends readonly (infer Message)[] ? Message[] : List
