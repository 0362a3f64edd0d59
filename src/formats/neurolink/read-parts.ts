import type { JsonObject } from '../../engine/transcript.ts'
import {
  callPart,
  mediaPart,
  opaquePart,
  type ResultBlocks,
  resultPart,
  textPart,
} from '../content-parts.ts'
import type { DraftEntry, DraftPart } from '../draft.ts'
import { isRecord, jsonText, textMember } from '../json.ts'
import type { Content, Reading, ReadMessage } from '../reading.ts'
import { errorOf, type Site, sitesOf } from './sites.ts'

/** NeuroLink's own parts and those of the AI SDK that its messages are turned into. */
const MEDIA: ReadonlySet<string> = new Set([
  'image',
  'image_url',
  'file',
  'pdf',
  'document',
  'audio',
  'input_audio',
])

const RESULT_BLOCKS: ResultBlocks = { media: MEDIA, clearable: new Set() }

export function readParts(input: ReadMessage, entry: DraftEntry, content: Content): void {
  const { message, reading } = input
  for (const site of sitesOf(message)) {
    const part = readSite(site, message, content, reading)
    if (part !== undefined) entry.parts.push(part)
  }
}

function readSite(
  site: Site,
  message: JsonObject,
  content: Content,
  reading: Reading,
): DraftPart | undefined {
  switch (site.at) {
    case 'content':
      return contentPart(content, site.block, reading)
    case 'call':
      return callPart(toolOf(message), jsonText(message.args), message.args, reading)
    case 'result':
      return outputPart(message, content, reading)
    case 'error':
      return toolPart(message, resultPart(errorOf(message) ?? '', RESULT_BLOCKS, reading))
  }
}

function contentPart(content: Content, index: number, reading: Reading): DraftPart | undefined {
  if (typeof content === 'string') return textPart(content, reading)
  const block = content?.[index]
  if (block === undefined) return undefined
  if (block.type === 'text') return textPart(textMember(block, 'text') ?? '', reading)
  return mediaPart(block, MEDIA, reading) ?? opaquePart(block.type, block, reading)
}

/**
 * `content` is what the model gets; `result.result` repeats it (deprecated in NeuroLink's types) and
 * counts only where there is no content.
 */
function outputPart(message: JsonObject, content: Content, reading: Reading): DraftPart {
  const isBare = content === null || content === ''
  return toolPart(message, resultPart(isBare ? bodyText(message) : content, RESULT_BLOCKS, reading))
}

function bodyText({ result }: JsonObject): string {
  const body = isRecord(result) ? result.result : undefined
  return typeof body === 'string' ? body : jsonText(body)
}

function toolPart(message: JsonObject, part: DraftPart): DraftPart {
  const { result } = message
  const name = textMember(message, 'tool')
  if (name !== undefined) part.toolName = name
  if (!isRecord(result)) return part
  if (result.success === false || errorOf(message) !== undefined) part.isError = true
  else if (result.success === true) part.isError = false
  return part
}

function toolOf(message: JsonObject): string {
  return textMember(message, 'tool') ?? 'unknown'
}
