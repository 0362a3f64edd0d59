import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import {
  callPart,
  mediaPart,
  opaquePart,
  type ResultBlocks,
  resultPart,
  textPart,
} from '../content-parts.ts'
import type { DraftEntry, DraftPart } from '../draft.ts'
import { isArray, isRecord, jsonText, pointer, textMember } from '../json.ts'
import { countAudioData } from '../media/count-media.ts'
import {
  type Block,
  type Content,
  type Reading,
  type ReadMessage,
  readContent,
} from '../reading.ts'
import { reasoningPart } from './reasoning.ts'
import { type Site, sitesOf } from './sites.ts'

const MEDIA: ReadonlySet<string> = new Set(['image_url', 'input_audio', 'file'])

const RESULT_BLOCKS: ResultBlocks = { media: MEDIA, clearable: new Set() }

/** Positions of calls and results are those of `tool_calls`, or one of these. */
const WHOLE_MESSAGE = -1
const FUNCTION_CALL = -2

export function pointerTo(entry: number, position: number): string {
  if (position === WHOLE_MESSAGE) return pointer('messages', entry)
  if (position === FUNCTION_CALL) return pointer('messages', entry, 'function_call')
  return pointer('messages', entry, 'tool_calls', position)
}

/** Adds the message's parts in the order of their sites, and tells the pairing of calls and results. */
export function readParts(input: ReadMessage, entry: DraftEntry): void {
  const { message, index, reading } = input
  const at = (): string => pointer('messages', index, 'content')
  const content = readContent(message.content, at, reading)
  if (content === undefined || !hasValidCalls(input)) return
  for (const site of sitesOf(message)) {
    const part = readSite(site, input, entry, content)
    if (part !== undefined) entry.parts.push(part)
  }
}

function readSite(
  site: Site,
  input: ReadMessage,
  entry: DraftEntry,
  content: Content,
): DraftPart | undefined {
  const { message, reading } = input
  switch (site.at) {
    case 'reasoning':
      return reasoningPart(message[site.member] ?? null, site.member, reading)
    case 'content':
      return contentPart(content, site.block, !hasAnnotations(message), reading)
    case 'result':
      return readResult(input, entry, content)
    case 'refusal':
      return textPart(textMember(message, 'refusal') ?? '', reading, false)
    case 'audio':
      return audioPart(message.audio ?? null, reading)
    case 'call':
      return readCall(site.call, input, entry)
    case 'function-call':
      return readFunctionCall(input, entry)
  }
}

/** Annotations cite by the numbers of characters in what the message says. */
function hasAnnotations({ annotations }: JsonObject): boolean {
  return isArray(annotations) && annotations.length > 0
}

/** An answer that was spoken: `{ id }` refers to it, the response's own form holds its sound too. */
function audioPart(value: JsonValue, reading: Reading): DraftPart {
  const transcript = isRecord(value) ? textMember(value, 'transcript') : undefined
  const data = isRecord(value) ? textMember(value, 'data') : undefined
  const part =
    transcript === undefined
      ? opaquePart('audio', value, reading)
      : textPart(transcript, reading, false)
  if (data !== undefined) part.tokens = countAudioData(data)
  return part
}

function contentPart(
  content: Content,
  index: number,
  rewritable: boolean,
  reading: Reading,
): DraftPart | undefined {
  if (typeof content === 'string') return textPart(content, reading, rewritable)
  const block = content?.[index]
  return block === undefined ? undefined : blockPart(block, rewritable, reading)
}

function blockPart(block: Block, rewritable: boolean, reading: Reading): DraftPart {
  if (block.type === 'text') return textPart(textMember(block, 'text') ?? '', reading, rewritable)
  if (block.type === 'refusal') return textPart(textMember(block, 'refusal') ?? '', reading, false)
  return mediaPart(block, MEDIA, reading) ?? opaquePart(block.type, block, reading)
}

function readResult(input: ReadMessage, entry: DraftEntry, content: Content): DraftPart {
  const { message, reading } = input
  const part = resultPart(content, RESULT_BLOCKS, reading)
  const name = textMember(message, 'name')
  if (name !== undefined) part.toolName = name
  const key =
    message.role === 'function'
      ? functionKey(name ?? '')
      : (textMember(message, 'tool_call_id') ?? '')
  reading.pairing.addResult(entry, part, WHOLE_MESSAGE, key)
  return part
}

function readCall(call: number, input: ReadMessage, entry: DraftEntry): DraftPart | undefined {
  const { message, reading } = input
  const value = isArray(message.tool_calls) ? message.tool_calls[call] : undefined
  if (!isRecord(value)) return undefined
  const body = bodyOf(value)
  const name =
    (body === undefined ? undefined : textMember(body, 'name')) ?? textMember(value, 'type')
  const toolArguments = body?.arguments ?? body?.input
  const part = callPart(name ?? 'unknown', argumentsText(toolArguments), toolArguments, reading)
  reading.pairing.addCall(entry, part, call, textMember(value, 'id') ?? '')
  return part
}

function readFunctionCall(input: ReadMessage, entry: DraftEntry): DraftPart | undefined {
  const call = input.message.function_call
  if (!isRecord(call)) return undefined
  const name = textMember(call, 'name') ?? 'unknown'
  const part = callPart(name, argumentsText(call.arguments), call.arguments, input.reading)
  input.reading.pairing.addCall(entry, part, FUNCTION_CALL, functionKey(name), false)
  return part
}

/** Function calls of the first API have no ids: they pair by name, in order. */
function functionKey(name: string): string {
  return `function:${name}`
}

/** `function` and `custom` calls keep their body under the name of their type. */
function bodyOf(call: JsonObject): JsonObject | undefined {
  if (isRecord(call.function)) return call.function
  return isRecord(call.custom) ? call.custom : undefined
}

function argumentsText(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : jsonText(value)
}

/** Whether calls and results have the members without which they cannot be paired. */
function hasValidCalls({ message, index, reading: { faults } }: ReadMessage): boolean {
  if (message.role === 'tool') {
    if (textMember(message, 'tool_call_id') !== undefined) return true
    const at = pointer('messages', index, 'tool_call_id')
    faults.add(at, 'call-id', 'must be the id of the call that this answers')
    return false
  }
  const calls = message.tool_calls
  if (message.role !== 'assistant' || calls === undefined || calls === null) return true
  if (!isArray(calls)) {
    const at = pointer('messages', index, 'tool_calls')
    faults.add(at, 'tool-calls-array', 'must be an array of tool calls')
    return false
  }
  const before = faults.count()
  for (let call = 0; call < calls.length; call += 1) {
    const value = calls[call]
    if (!isRecord(value)) {
      faults.add(pointerTo(index, call), 'tool-call-object', 'must be an object')
    } else if (textMember(value, 'id') === undefined) {
      faults.add(`${pointerTo(index, call)}/id`, 'call-id', 'must be a string that names the call')
    }
  }
  return faults.count() === before
}
