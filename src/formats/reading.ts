import type { JsonObject, JsonValue, Transcript } from '../engine/transcript.ts'
import type { FormatId, ReadContext } from './adapter.ts'
import { hasList, itemsOf, type ListMember } from './conversation-list.ts'
import { checkDepth } from './depth.ts'
import type { DraftEntry } from './draft.ts'
import { createFaults, type FaultCollector } from './faults.ts'
import { isArray, isRecord, jsonText, pointer } from './json.ts'
import { createPairing, type Pairing, type PlacePointer } from './pairing.ts'
import { createWarnings, type WarningCollector } from './warnings.ts'

/** What the parts of an adapter share while one conversation is read. */
export interface Reading {
  readonly context: ReadContext
  readonly faults: FaultCollector
  readonly warnings: WarningCollector
  readonly pairing: Pairing
}

export interface ReadMessage {
  readonly reading: Reading
  readonly message: JsonObject
  readonly index: number
}

export interface Format {
  readonly id: FormatId
  /** Member that holds the conversation. */
  readonly list: ListMember
  readonly pointerTo: PlacePointer
  /** Undefined after it has added a fault. */
  readonly readMessage: (input: ReadMessage) => DraftEntry | undefined
  /** Runs when every entry is there: links, and calls that are still pending. */
  readonly connect: (reading: Reading, entries: readonly DraftEntry[], payload: JsonObject) => void
  readonly beside: (
    payload: JsonObject,
    reading: Reading,
    entryCount: number,
  ) => Transcript['beside']
}

export function readConversation(
  payload: JsonObject,
  context: ReadContext,
  format: Format,
): Transcript {
  const faults = createFaults(format.id)
  // Nothing may look into values that are too deep, so this comes before everything else.
  checkDepth(payload, faults)
  faults.throwIfAny()
  const warnings = createWarnings()
  const pairing = createPairing(warnings, format.pointerTo)
  const reading: Reading = { context, faults, warnings, pairing }
  const entries = readMessages(payload, reading, format)
  const beside = format.beside(payload, reading, entries.length)
  faults.throwIfAny()
  format.connect(reading, entries, payload)
  return { format: format.id, entries, beside, warnings: warnings.list() }
}

function readMessages(payload: JsonObject, reading: Reading, format: Format): DraftEntry[] {
  const { list } = format
  if (!hasList(payload, list)) {
    reading.faults.add(pointer(list), `${list}-array`, `must be an array of ${list}`)
    return []
  }
  const messages = itemsOf(payload, list)
  const entries: DraftEntry[] = []
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index]
    if (!isRecord(message)) {
      reading.faults.add(pointer(list, index), 'message-object', 'must be an object')
      continue
    }
    const entry = format.readMessage({ reading, message, index })
    if (entry !== undefined) entries.push(entry)
  }
  return entries
}

/** The role if it is one of the format's; otherwise undefined, after a fault. */
export function readRole<Name extends string>(
  { reading, message, index }: ReadMessage,
  roles: ReadonlyMap<string, Name>,
  list: ListMember = 'messages',
): Name | undefined {
  const { role } = message
  const known = typeof role === 'string' ? roles.get(role) : undefined
  if (known !== undefined) return known
  const at = pointer(list, index, 'role')
  const names = [...roles.keys()].join(', ')
  if (role === undefined) reading.faults.add(at, 'role-required', `must be one of ${names}`)
  else reading.faults.add(at, 'role-unknown', `is none of ${names}`)
  return undefined
}

/**
 * String content, its blocks, or nothing (null and absent); undefined after a fault. The blocks are
 * the payload's own array; each is an object with a `type`, and a text block has its text.
 */
export type Content = string | readonly Block[] | null

export type Block = JsonObject & { readonly type: string }

export function readContent(
  value: JsonValue | undefined,
  at: () => string,
  { faults }: Reading,
): Content | undefined {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return value
  if (!isArray(value)) {
    faults.add(at(), 'content-type', 'must be a string, null or an array of parts')
    return undefined
  }
  let isValid = true
  for (let index = 0; index < value.length; index += 1) {
    const block = value[index]
    if (!isBlock(block)) {
      faults.add(`${at()}/${index}`, 'part-object', 'must be an object with a string `type`')
      isValid = false
    } else if (isTextType(block.type) && typeof block.text !== 'string') {
      faults.add(`${at()}/${index}/text`, 'text-string', 'must be a string')
      isValid = false
    }
  }
  return isValid ? (value as Block[]) : undefined
}

/** Types of blocks whose `text` is what they say: the Responses API has one for each side. */
export function isTextType(type: string): boolean {
  return type === 'text' || type === 'input_text' || type === 'output_text'
}

function isBlock(value: JsonValue | undefined): value is Block {
  return isRecord(value) && typeof value.type === 'string'
}

/** Tokens of tool definitions, as the JSON text in which they are sent. */
export function countTools(
  payload: JsonObject,
  member: string,
  { context, faults }: Reading,
): number {
  const tools = payload[member]
  if (tools === undefined || tools === null) return 0
  if (!isArray(tools)) {
    faults.add(pointer(member), 'tools-array', 'must be an array of tool definitions')
    return 0
  }
  let tokens = 0
  for (const tool of tools) tokens += context.countTokens(jsonText(tool))
  return tokens
}
