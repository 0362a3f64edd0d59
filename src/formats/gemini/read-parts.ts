import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { callPart, opaquePart, sealedPart, textPart } from '../content-parts.ts'
import type { DraftEntry, DraftPart } from '../draft.ts'
import { isArray, isRecord, jsonText, pointer, textMember } from '../json.ts'
import { countEncrypted } from '../media/count-media.ts'
import type { Reading, ReadMessage } from '../reading.ts'
import type { CallBook } from './call-book.ts'
import { fileMedia, inlineMedia } from './media.ts'
import { type DataKind, dataOf, type PartData, signatureOf } from './members.ts'
import { readResponse } from './read-response.ts'

/** Positions of calls and responses are those of their parts. */
export function pointerTo(entry: number, position: number): string {
  return pointer('contents', entry, 'parts', position)
}

interface Place {
  readonly entry: DraftEntry
  readonly position: number
  readonly reading: Reading
  readonly book: CallBook
}

/** Each part of the content is one part, under the same number. */
export function readParts(
  { message, index, reading }: ReadMessage,
  entry: DraftEntry,
  book: CallBook,
) {
  const { parts } = message
  if (parts === undefined || parts === null) return
  if (!isArray(parts)) {
    reading.faults.add(
      pointer('contents', index, 'parts'),
      'parts-array',
      'must be an array of parts',
    )
    return
  }
  for (let position = 0; position < parts.length; position += 1) {
    const part = readPart(parts[position], { entry, position, reading, book })
    if (part !== undefined) entry.parts.push(part)
  }
}

function readPart(value: JsonValue | undefined, place: Place): DraftPart | undefined {
  if (!isRecord(value)) return addFault(place, '', 'part-object', 'must be an object')
  const data = dataOf(value)
  const part =
    data === undefined ? opaquePart('part', value, place.reading) : readData(value, data, place)
  if (part === undefined) return undefined
  const signature = signatureOf(value)
  if (signature === '') return part
  // A signed part goes back as it came, and its signature is charged as input ("Thinking", pricing).
  part.rewritable = false
  // No note may take the place of a signed picture either.
  if (part.kind === 'media') delete part.media
  part.tokens += countEncrypted(signature)
  return part
}

function readData(part: JsonObject, data: PartData, place: Place): DraftPart | undefined {
  const { kind, value } = data
  const { reading } = place
  switch (kind) {
    case 'text':
      return readText(part, value, place)
    case 'functionCall':
    case 'functionResponse':
      return readExchange(data, place)
    case 'inlineData':
    case 'fileData':
      return readMedia(data, place)
    case 'toolCall':
    case 'toolResponse':
      pairServerTool(kind, value, place)
      return opaquePart(kind, part, reading)
    default:
      return opaquePart(kind, part, reading)
  }
}

function readText(part: JsonObject, text: JsonValue, place: Place): DraftPart | undefined {
  const { reading } = place
  if (typeof text !== 'string') return addFault(place, '/text', 'text-string', 'must be a string')
  if (part.thought === true) return { ...textPart(text, reading, false), kind: 'reasoning' }
  const isSealed = text === '' && signatureOf(part) !== ''
  return isSealed ? sealedPart('thoughtSignature', 0) : textPart(text, reading)
}

/** A function's name is how calls without an id are paired, so that one of the two must be there. */
function readExchange(
  { kind, name: member, value }: PartData,
  place: Place,
): DraftPart | undefined {
  const { entry, position, reading, book } = place
  if (!isRecord(value))
    return addFault(place, `/${member}`, 'tool-call-object', 'must be an object')
  const id = textMember(value, 'id')
  const name = textMember(value, 'name')
  if (id === undefined && name === undefined) {
    return addFault(place, `/${member}/name`, 'call-name', 'must be the name of a function')
  }
  if (kind === 'functionCall') {
    const part = callPart(name ?? 'unknown', jsonText(value.args), value.args, reading)
    const { key, isUsedAgain } = book.addCall(entry.index, name ?? '', id)
    reading.pairing.addCall(entry, part, position, key)
    if (isUsedAgain) {
      const at = pointerTo(entry.index, position)
      reading.warnings.add('duplicate-call-id', 'an earlier tool call has the same id', at)
    }
    return part
  }
  const part = readResponse(value, reading)
  if (name !== undefined) part.toolName = name
  reading.pairing.addResult(entry, part, position, book.answer(name ?? '', id))
  return part
}

function readMedia({ kind, name, value }: PartData, place: Place): DraftPart | undefined {
  const { context } = place.reading
  if (!isRecord(value)) return addFault(place, `/${name}`, 'media-object', 'must be an object')
  const media = kind === 'inlineData' ? inlineMedia(value, context) : fileMedia(value, context)
  return {
    kind: 'media',
    text: `[${media.kind}]`,
    tokens: media.tokens,
    rewritable: false,
    media: { count: 1, tokens: media.tokens, bytes: media.bytes, besideText: '' },
  }
}

/** Tools that run at Google stay opaque, yet a response must not outlive its call. */
function pairServerTool(kind: DataKind, value: JsonValue, place: Place): void {
  const { entry, position, reading } = place
  const id = isRecord(value) ? textMember(value, 'id') : undefined
  if (id === undefined) return
  if (kind === 'toolCall') reading.pairing.addCall(entry, undefined, position, `server:${id}`)
  else reading.pairing.addResult(entry, undefined, position, `server:${id}`)
}

function addFault(
  { entry, position, reading }: Place,
  below: string,
  rule: string,
  detail: string,
) {
  reading.faults.add(`${pointerTo(entry.index, position)}${below}`, rule, detail)
  return undefined
}
