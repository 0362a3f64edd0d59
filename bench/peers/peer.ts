import type { OpenaiMessage } from '../lib/tool-conversation.ts'

/** One way to make a conversation smaller, ready to be timed. */
export interface Contestant {
  readonly name: string
  readonly isOurs?: true
  /** Runs are few where one takes long. */
  readonly rounds: number
  /** What is timed. The input has been brought into its own format before. */
  readonly run: () => Promise<unknown> | unknown
  /** Its result as Chat Completions messages, for counting and for the rules of pairs. */
  readonly toOpenai: (result: unknown) => readonly OpenaiMessage[]
}

export interface Task {
  readonly messages: readonly OpenaiMessage[]
  /** Most tokens of contents, tool names and arguments, by tiktoken. */
  readonly target: number
  /** The service's own exact counter, for peers that take one; fast, and it caches nothing. */
  readonly countTokens: (text: string) => number
}
