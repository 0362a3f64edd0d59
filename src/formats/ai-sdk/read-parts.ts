import { callPart, opaquePart, textPart } from '../content-parts.ts'
import type { DraftEntry, DraftPart } from '../draft.ts'
import { jsonText, pointer, textMember } from '../json.ts'
import type { Block, Reading } from '../reading.ts'
import { readMediaPart } from './media.ts'
import { outputPart } from './output.ts'
import { isBound } from './provider-options.ts'
import { reasoningPart } from './reasoning.ts'

/** Positions of calls and results are those of their parts. */
export function pointerTo(entry: number, position: number): string {
  return pointer('messages', entry, 'content', position)
}

/** Each part of the content is one part, under the same number. String content is part 0. */
export function readParts(
  content: string | readonly Block[],
  entry: DraftEntry,
  reading: Reading,
): void {
  if (typeof content === 'string') {
    if (content !== '') entry.parts.push(textPart(content, reading))
    return
  }
  const counted = new Set<string>()
  for (const [position, block] of content.entries()) {
    entry.parts.push(readPart(block, position, entry, counted, reading))
  }
}

function readPart(
  block: Block,
  position: number,
  entry: DraftEntry,
  counted: Set<string>,
  reading: Reading,
): DraftPart {
  switch (block.type) {
    case 'text':
      return textPart(textMember(block, 'text') ?? '', reading, mayChange(block, entry))
    case 'reasoning':
      return reasoningPart(block, counted, reading)
    case 'tool-call':
      return readCall(block, position, entry, reading)
    case 'tool-result':
      return readResult(block, position, entry, reading)
    case 'tool-approval-request':
    case 'tool-approval-response':
      requireId(block, 'approvalId', position, entry, reading)
      return opaquePart(block.type, block, reading)
    default:
      return mediaPart(block, entry, reading) ?? opaquePart(block.type, block, reading)
  }
}

function readCall(block: Block, position: number, entry: DraftEntry, reading: Reading): DraftPart {
  const name = textMember(block, 'toolName') ?? 'unknown'
  const part = callPart(name, jsonText(block.input), block.input, reading)
  const id = requireId(block, 'toolCallId', position, entry, reading)
  if (id !== undefined) reading.pairing.addCall(entry, part, position, id)
  return part
}

function readResult(
  block: Block,
  position: number,
  entry: DraftEntry,
  reading: Reading,
): DraftPart {
  const part = outputPart(block, reading)
  const name = textMember(block, 'toolName')
  if (name !== undefined) part.toolName = name
  const id = requireId(block, 'toolCallId', position, entry, reading)
  if (id !== undefined) reading.pairing.addResult(entry, part, position, id)
  return part
}

/** What the model said is the provider's to know again; what others said is nobody's. */
function mayChange(block: Block, { role }: DraftEntry): boolean {
  return role !== 'assistant' || !isBound(block)
}

function mediaPart(block: Block, entry: DraftEntry, { context }: Reading): DraftPart | undefined {
  const media = readMediaPart(block, context)
  if (media === undefined) return undefined
  const part: DraftPart = {
    kind: block.type === 'reasoning-file' ? 'reasoning' : 'media',
    text: `[${block.type}]`,
    tokens: media.tokens,
    rewritable: false,
  }
  if (part.kind === 'media' && mayChange(block, entry)) {
    const bytes = media.data?.length ?? 0
    part.media = { count: 1, tokens: media.tokens, bytes, besideText: '' }
  }
  return part
}

function requireId(
  block: Block,
  member: 'toolCallId' | 'approvalId',
  position: number,
  entry: DraftEntry,
  { faults }: Reading,
): string | undefined {
  const id = textMember(block, member)
  if (id !== undefined) return id
  const rule = member === 'toolCallId' ? 'call-id' : 'approval-id'
  const at = `${pointerTo(entry.index, position)}/${member}`
  faults.add(at, rule, 'must be a string that pairs this part with its counterpart')
  return undefined
}
