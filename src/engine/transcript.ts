/**
 * What the engine sees of a conversation: an index over the caller's payload, never a copy of it.
 * An adapter builds it (`formats/`), stages read it, and edits that name entry and part numbers go
 * back to the adapter, which applies them to the payload copy-on-write.
 */

export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
export type JsonObject = { [key: string]: JsonValue }

/**
 * `instructions` is the provider's system or developer voice. `tool` is a message that carries tool
 * results, whatever role name its wire format gives it.
 */
export type Role = 'instructions' | 'user' | 'assistant' | 'tool'

/** `opaque` is any part whose type the adapter does not know: counted, never rewritten. */
export type PartKind = 'text' | 'reasoning' | 'tool-call' | 'tool-result' | 'media' | 'opaque'

export interface Part {
  readonly kind: PartKind
  /** The text that is counted, and what a model is shown. For media and opaque parts a `[type]` label. */
  readonly text: string
  /** Tokens of this part. Media are counted by their dimensions, everything else by its text. */
  readonly tokens: number
  /** Whether `replace-text` may be applied: false for signed, encrypted, structured or opaque parts. */
  readonly rewritable: boolean
  /** Pairs a call with its results. Present on tool-call and tool-result parts. */
  readonly callId?: string
  readonly toolName?: string
  /** The call's arguments as the payload holds them: JSON text, or the parsed value. */
  readonly toolArguments?: JsonValue
  /** Of a medium, and of a tool result that holds media: what a note could take the place of. */
  readonly media?: PartMedia
  /**
   * Whether the payload says that the tool failed. Undefined where its format has no place to say so, as
   * that of openai-chat. Error results are cleared last.
   */
  readonly isError?: boolean
}

export interface PartMedia {
  readonly count: number
  /** Tokens of the media alone. */
  readonly tokens: number
  /** Characters of their data in the payload, which are bytes on the wire; 0 behind a reference. */
  readonly bytes: number
  /** What the part says beside its media. */
  readonly besideText: string
}

/** What the payload itself says about a message, beyond its role. */
export interface EntryFlags {
  /** The message is a summary of earlier messages. */
  readonly summary?: boolean
  /** A pinned skill: replayed verbatim by design. */
  readonly skill?: boolean
  /**
   * A history that the provider compacted and only it can read. No summary of ours can carry it
   * forward, so that nothing ever takes its place.
   */
  readonly sealed?: boolean
  /** A marker that an earlier compaction left where it removed messages. */
  readonly marker?: boolean
  /** How many messages that marker stands for. Absent when the marker does not say. */
  readonly markerCount?: number
  /** A placeholder of a condensation (neurolink: condenseParent or truncationParent). */
  readonly condensed?: boolean
  /** The message carries non-text activity records (neurolink: non-empty events). */
  readonly events?: boolean
}

/** One message of the conversation. */
export interface Entry {
  /** Position in the transcript, and in the payload's message array. */
  readonly index: number
  /** The caller's own id, where the format has one. */
  readonly id?: string
  readonly role: Role
  /** `name` of the speaker, where the format has one. */
  readonly speaker?: string
  readonly parts: readonly Part[]
  /** Tokens that the provider adds around the message, whatever it holds. */
  readonly framingTokens: number
  /** Entries that share a label are kept or dropped together. */
  readonly links: readonly string[]
  readonly flags: EntryFlags
  /**
   * Tool calls of this entry that have no result anywhere (still pending, or lost by the caller).
   * Unresolved calls are pinned.
   */
  readonly unresolvedCalls: readonly string[]
}

export interface Transcript {
  readonly format: string
  readonly entries: readonly Entry[]
  /** What rides beside the messages in the payload and is never edited. */
  readonly beside: {
    /** Instructions outside the message array (Anthropic `system`). */
    readonly instructionsTokens: number
    /** Tool definitions. */
    readonly toolsTokens: number
    /** Fixed tokens of the request itself (reply priming). */
    readonly framingTokens: number
  }
  /** Faults that the input came with; reported, never repaired. */
  readonly warnings: readonly Warning[]
}

export interface Warning {
  readonly code: string
  readonly message: string
  /** JSON Pointer into the request body, where there is one place. */
  readonly pointer?: string
}

/** Counts a text. Deterministic; the same function decides `fits` and is reported. */
export type CountTokens = (text: string) => number

export function entryTokens(entry: Entry): number {
  let total = entry.framingTokens
  for (const part of entry.parts) total += part.tokens
  return total
}

/** The text of an entry as a model would be shown it. */
export function entryText(entry: Entry): string {
  if (entry.parts.length === 1) return entry.parts[0]?.text ?? ''
  return entry.parts.map((part) => part.text).join('\n')
}
