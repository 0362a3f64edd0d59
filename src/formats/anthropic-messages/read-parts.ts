import type { JsonValue } from '../../engine/transcript.ts'
import {
  callPart,
  mediaPart,
  opaquePart,
  type ResultBlocks,
  resultPart,
  sealedPart,
  textPart,
} from '../content-parts.ts'
import type { DraftEntry, DraftPart } from '../draft.ts'
import { isArray, isRecord, jsonText, pointer, textMember } from '../json.ts'
import { countEncrypted } from '../media/count-media.ts'
import {
  type Block,
  type Content,
  type Reading,
  type ReadMessage,
  readContent,
} from '../reading.ts'
import { isServerCall, isServerResult } from './blocks.ts'
import { compactionPart } from './compaction.ts'
import { serverToolPart } from './server-tools.ts'

const MEDIA: ReadonlySet<string> = new Set(['image', 'document'])

const RESULT_BLOCKS: ResultBlocks = { media: MEDIA, clearable: new Set(['search_result']) }

/** Positions of calls and results are those of their blocks. */
export function pointerTo(entry: number, position: number): string {
  return pointer('messages', entry, 'content', position)
}

/** Each block is one part, under the same number. String content is part 0; '' is no part. */
export function readParts(input: ReadMessage, entry: DraftEntry, content: Content): void {
  if (content === null || content === '') return
  if (typeof content === 'string') {
    entry.parts.push(textPart(content, input.reading))
    return
  }
  for (let position = 0; position < content.length; position += 1) {
    const block = content[position]
    if (block !== undefined) entry.parts.push(readBlock(block, position, entry, input.reading))
  }
}

function readBlock(block: Block, position: number, entry: DraftEntry, reading: Reading): DraftPart {
  switch (block.type) {
    case 'text':
      return textPart(textMember(block, 'text') ?? '', reading, !hasCitations(block))
    case 'thinking':
    case 'redacted_thinking':
      return thinkingPart(block, reading)
    case 'compaction':
      return compactionPart(block, reading)
    case 'tool_use':
      return readCall(block, position, entry, reading)
    case 'tool_result':
      return readResult(block, position, entry, reading)
    default:
      if (isServerCall(block.type) || isServerResult(block.type)) {
        pairServerTool(block, position, entry, reading)
        return serverToolPart(block, reading)
      }
      return mediaPart(block, MEDIA, reading) ?? opaquePart(block.type, block, reading)
  }
}

/** Citations point into what the text says. */
function hasCitations({ citations }: Block): boolean {
  return isArray(citations) && citations.length > 0
}

/** Thinking whose text was left out is all in its signature, encrypted. */
function thinkingPart(block: Block, { context }: Reading): DraftPart {
  const text = textMember(block, 'thinking')
  if (text !== undefined) {
    return { kind: 'reasoning', text, tokens: context.countTokens(text), rewritable: false }
  }
  const sealed = textMember(block, 'data') ?? textMember(block, 'signature') ?? ''
  return sealedPart(block.type, countEncrypted(sealed))
}

function readCall(block: Block, position: number, entry: DraftEntry, reading: Reading): DraftPart {
  const name = textMember(block, 'name') ?? 'unknown'
  const part = callPart(name, jsonText(block.input), block.input, reading)
  const id = textMember(block, 'id')
  if (id === undefined) missingId(entry, position, 'id', reading)
  else reading.pairing.addCall(entry, part, position, id)
  linkToCaller(block.caller, entry)
  return part
}

/** Code that ran at the provider called this tool: what one run has called stays with it. */
function linkToCaller(caller: JsonValue | undefined, entry: DraftEntry): void {
  const id = isRecord(caller) ? textMember(caller, 'tool_id') : undefined
  if (id !== undefined) entry.links.push(`caller:${id}`)
}

function readResult(
  block: Block,
  position: number,
  entry: DraftEntry,
  reading: Reading,
): DraftPart {
  const at = (): string => `${pointerTo(entry.index, position)}/content`
  const part = resultPart(readContent(block.content, at, reading) ?? null, RESULT_BLOCKS, reading)
  part.isError = block.is_error === true
  const id = textMember(block, 'tool_use_id')
  if (id === undefined) missingId(entry, position, 'tool_use_id', reading)
  else reading.pairing.addResult(entry, part, position, id)
  return part
}

/** They stay opaque, yet a result must not outlive its call, also where it comes turns later. */
function pairServerTool(
  block: Block,
  position: number,
  entry: DraftEntry,
  { pairing }: Reading,
): void {
  const isCall = isServerCall(block.type)
  const id = textMember(block, isCall ? 'id' : 'tool_use_id')
  if (id === undefined) return
  if (isCall && block.name === 'code_execution') entry.links.push(`caller:${id}`)
  if (isCall) pairing.addCall(entry, undefined, position, id)
  else pairing.addResult(entry, undefined, position, id)
}

function missingId(
  entry: DraftEntry,
  position: number,
  member: 'id' | 'tool_use_id',
  { faults }: Reading,
): void {
  const at = `${pointerTo(entry.index, position)}/${member}`
  faults.add(at, 'call-id', 'must be a string that pairs a call with its result')
}
