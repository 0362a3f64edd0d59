import type { JsonObject, JsonValue } from '../../engine/transcript.ts'

/** What is kept of a line while the others are read: never its content. */
export interface SessionRecord {
  readonly line: number
  /** Where the line stands, in bytes. */
  readonly offset: number
  readonly length: number
  readonly uuid: string
  readonly parent: string | undefined
  /** `other` is a link of the chain that is not sent: progress, hooks, commands of the terminal. */
  readonly kind: 'user' | 'assistant' | 'boundary' | 'other'
  readonly isSidechain: boolean
  /** The summary that Claude Code's own compaction left. */
  readonly isSummary: boolean
  /** The API message that this record is a piece of; one message is written as several records. */
  readonly messageId: string | undefined
  readonly model: string | undefined
  /** Tool calls that it makes, and calls whose results it carries. */
  readonly calls: readonly string[]
  readonly results: readonly string[]
  /** It says nothing: the API takes no text of white space, so it was never sent. */
  readonly isBlank: boolean
  /** Records from before a boundary that it kept: `head` to `tail`, put behind `anchor`. */
  readonly preserved: PreservedSegment | undefined
}

export interface PreservedSegment {
  readonly head: string
  readonly anchor: string
  readonly tail: string
}

interface Place {
  readonly line: number
  readonly offset: number
  readonly length: number
}

/** Model name of messages that Claude Code wrote itself. */
const SYNTHETIC_MODEL = '<synthetic>'

const NO_IDS: readonly string[] = []

/** Undefined for records that stand outside the chain: titles, snapshots, queues. */
export function toSessionRecord(record: JsonObject, place: Place): SessionRecord | undefined {
  const uuid = textOf(record.uuid)
  if (uuid === undefined) return undefined
  const message = isObject(record.message) ? record.message : undefined
  const kind = kindOf(record, message)
  const content = message?.content
  const isSent = kind === 'user' || kind === 'assistant'
  return {
    ...place,
    uuid,
    parent: textOf(record.parentUuid),
    kind,
    isSidechain: record.isSidechain === true,
    isSummary: kind === 'user' && record.isCompactSummary === true,
    messageId: kind === 'assistant' ? textOf(message?.id) : undefined,
    model: kind === 'assistant' ? modelOf(message) : undefined,
    calls: kind === 'assistant' ? idsOf(content, 'tool_use', 'id') : NO_IDS,
    results: kind === 'user' ? idsOf(content, 'tool_result', 'tool_use_id') : NO_IDS,
    isBlank: isSent && isBlank(content),
    preserved: kind === 'boundary' ? preservedOf(record.compactMetadata) : undefined,
  }
}

function kindOf(record: JsonObject, message: JsonObject | undefined): SessionRecord['kind'] {
  const { type } = record
  if ((type === 'user' || type === 'assistant') && message !== undefined) return type
  return type === 'system' && record.subtype === 'compact_boundary' ? 'boundary' : 'other'
}

function modelOf(message: JsonObject | undefined): string | undefined {
  const model = textOf(message?.model)
  return model === SYNTHETIC_MODEL ? undefined : model
}

function idsOf(content: JsonValue | undefined, type: string, member: string): readonly string[] {
  if (!Array.isArray(content)) return NO_IDS
  const ids: string[] = []
  for (const block of content) {
    const id = isObject(block) && block.type === type ? block[member] : undefined
    if (typeof id === 'string') ids.push(id)
  }
  return ids
}

function isBlank(content: JsonValue | undefined): boolean {
  if (content === undefined || content === null) return true
  if (typeof content === 'string') return !/\S/.test(content)
  if (!Array.isArray(content)) return false
  return content.every((block) => isObject(block) && block.type === 'text' && isBlankText(block))
}

function isBlankText({ text }: JsonObject): boolean {
  return typeof text === 'string' && !/\S/.test(text)
}

function preservedOf(metadata: JsonValue | undefined): PreservedSegment | undefined {
  const segment = isObject(metadata) ? metadata.preservedSegment : undefined
  if (!isObject(segment)) return undefined
  const head = textOf(segment.headUuid)
  const anchor = textOf(segment.anchorUuid)
  const tail = textOf(segment.tailUuid)
  if (head === undefined || anchor === undefined || tail === undefined) return undefined
  return { head, anchor, tail }
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
