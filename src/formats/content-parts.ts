/** Parts of a message's content, and the text of a tool result, alike in all formats. */
import type { JsonValue } from '../engine/transcript.ts'
import { refuseRewrite } from './apply-plan.ts'
import { breakpointOf, hasBreakpoint } from './cache-breakpoint.ts'
import type { DraftPart } from './draft.ts'
import { isArray, isRecord, withMember } from './json.ts'
import { mediaLabel } from './media/count-media.ts'
import { isMediaType, type Media, readMedia } from './media/media-block.ts'
import { countOpaque } from './media/opaque-tokens.ts'
import { type Block, type Content, isTextType, type Reading } from './reading.ts'

export function textPart(text: string, { context }: Reading, rewritable = true): DraftPart {
  return { kind: 'text', text, tokens: context.countTokens(text), rewritable }
}

export function mediaPart(
  block: Block,
  known: ReadonlySet<string>,
  { context }: Reading,
): DraftPart | undefined {
  const media = readMedia(block, known, context)
  if (media === undefined) return undefined
  return {
    kind: 'media',
    text: `[${block.type}]`,
    tokens: media.tokens,
    rewritable: false,
    media: { count: 1, tokens: media.tokens, bytes: media.data?.length ?? 0, besideText: '' },
  }
}

export function opaquePart(type: string, value: JsonValue, { context }: Reading): DraftPart {
  return {
    kind: 'opaque',
    text: `[${type}]`,
    tokens: countOpaque(value, context),
    rewritable: false,
  }
}

/** Thinking that only the provider can read; `label` stands for it where text is shown. */
export function sealedPart(label: string, tokens: number): DraftPart {
  return { kind: 'reasoning', text: `[${label}]`, tokens, rewritable: false }
}

export interface ResultBlocks {
  /** Types of media that the format knows. */
  readonly media: ReadonlySet<string>
  /** Other types that may be cleared away with the rest of the result. */
  readonly clearable: ReadonlySet<string>
}

/**
 * A tool result is one part, whatever its content is made of: clearing it replaces the whole, so
 * its images count towards what clearing saves. A label with a fingerprint stands for each medium.
 * Not rewritable if it holds a block that nobody here knows.
 */
export function resultPart(content: Content, known: ResultBlocks, reading: Reading): DraftPart {
  const { context } = reading
  if (content === null || typeof content === 'string') {
    const text = content ?? ''
    return { kind: 'tool-result', text, tokens: context.countTokens(text), rewritable: true }
  }
  const pieces = content.map((block): ResultPiece => {
    if (isTextType(block.type) && typeof block.text === 'string') return { text: block.text }
    const media = readMedia(block, known.media, context)
    return { type: block.type, block, media, isClearable: known.clearable.has(block.type) }
  })
  return joinResult(pieces, reading)
}

/** What a block of a result says, or what it is. */
export type ResultPiece =
  | { readonly text: string }
  | {
      readonly type: string
      readonly block: JsonValue
      /** Undefined for a block that is none. */
      readonly media: Media | undefined
      /** Whether a block that is no medium may go when the result is cleared. */
      readonly isClearable: boolean
    }

/** One part for all that a result holds, in the order in which it stands. */
export function joinResult(pieces: readonly ResultPiece[], { context }: Reading): DraftPart {
  const shown: string[] = []
  const texts: string[] = []
  const held = { count: 0, tokens: 0, bytes: 0 }
  let opaqueTokens = 0
  let rewritable = true
  for (const piece of pieces) {
    if ('text' in piece) {
      shown.push(piece.text)
      texts.push(piece.text)
      continue
    }
    const { type, block, media } = piece
    shown.push(mediaLabel(type, media?.data ?? JSON.stringify(block)))
    if (media === undefined) {
      opaqueTokens += countOpaque(block, context)
      rewritable &&= piece.isClearable
    } else {
      held.count += 1
      held.tokens += media.tokens
      held.bytes += media.data?.length ?? 0
    }
  }
  const besideText = texts.join('\n')
  return {
    kind: 'tool-result',
    text: shown.join('\n'),
    tokens: context.countTokens(besideText) + held.tokens + opaqueTokens,
    rewritable,
    ...(held.count > 0 && { media: { ...held, besideText } }),
  }
}

/**
 * Content of a result that now says only `text`. A list stays a list: the text goes into a block
 * that was there, so that its other members stay; the other blocks go. A cache breakpoint stays,
 * whatever block it was on; where there is no text block, it goes on one of type `noteType`.
 */
export function rewriteResult(
  content: JsonValue | undefined,
  text: string,
  noteType = 'text',
): JsonValue {
  if (!isArray(content)) return text
  const marked = content.filter(hasBreakpoint)
  const kept = marked.find(isTextBlock) ?? content.find(isTextBlock)
  const [first] = marked
  if (!isRecord(kept)) {
    return first === undefined ? text : [{ type: noteType, text, ...breakpointOf(first) }]
  }
  const moved = first === undefined || hasBreakpoint(kept) ? {} : breakpointOf(first)
  return [{ ...withMember(kept, 'text', text), ...moved }]
}

/**
 * Content in which the given blocks have other texts: a string is block 0, of a text block only the
 * text changes, of a tool result its content; a medium becomes a text block of type `noteType`, its
 * breakpoint kept.
 */
export function rewriteBlocks(
  content: JsonValue | undefined,
  texts: ReadonlyMap<number, string>,
  noteType = 'text',
): JsonValue {
  if (!isArray(content)) return texts.get(0) ?? content ?? ''
  return content.map((block, index) => {
    const text = texts.get(index)
    return text === undefined ? block : rewriteBlock(block, index, text, noteType)
  })
}

function isTextBlock(block: JsonValue): boolean {
  return isRecord(block) && typeof block.type === 'string' && isTextType(block.type)
}

function rewriteBlock(block: JsonValue, index: number, text: string, noteType: string): JsonValue {
  if (!isRecord(block) || typeof block.type !== 'string') return refuseRewrite(index)
  if (isTextBlock(block)) return withMember(block, 'text', text)
  if (isMediaType(block.type)) {
    return { type: noteType, text, ...breakpointOf(block) }
  }
  if (block.type !== 'tool_result') return refuseRewrite(index)
  return withMember(block, 'content', rewriteResult(block.content, text))
}

/** What a call is counted by and shown as: its name and its arguments' JSON text. */
export function callPart(
  name: string,
  argumentsText: string,
  toolArguments: JsonValue | undefined,
  { context }: Reading,
): DraftPart {
  const text = `${name}(${argumentsText})`
  const part: DraftPart = {
    kind: 'tool-call',
    text,
    tokens: context.countTokens(text),
    rewritable: false,
    toolName: name,
  }
  if (toolArguments !== undefined) part.toolArguments = toolArguments
  return part
}
