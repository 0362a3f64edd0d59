import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { isArray, isRecord, textMember } from '../json.ts'
import { countAudioData, countDocumentData, countImageData } from './count-media.ts'
import { countOpaque } from './opaque-tokens.ts'

export interface Media {
  readonly tokens: number
  /** Base64, a data URL or a URL; undefined where the block names a stored file instead. */
  readonly data: string | undefined
}

type Reader = (block: JsonObject, context: ReadContext) => Media

/**
 * Blocks of media by their type, over all formats: a name has one meaning, whose shapes a reader
 * tells apart. Each format says which of them it knows.
 */
const READERS: ReadonlyMap<string, Reader> = new Map([
  ['image', readImage],
  ['image_url', readImage],
  ['input_image', readImage],
  ['computer_screenshot', readImage],
  ['document', readDocument],
  ['pdf', readDocument],
  ['file', readFile],
  ['input_file', readFile],
  ['audio', readAudio],
  ['input_audio', readAudio],
])

export function isMediaType(type: string): boolean {
  return READERS.has(type)
}

/** Undefined if the block's type is not among those that the format knows. */
export function readMedia(
  block: JsonObject & { readonly type: string },
  known: ReadonlySet<string>,
  context: ReadContext,
): Media | undefined {
  if (!known.has(block.type)) return undefined
  return READERS.get(block.type)?.(block, context)
}

/**
 * OpenAI `image_url` (in the Responses API a text), Anthropic `source`, AI SDK `image`, NeuroLink
 * `data`.
 */
function readImage(block: JsonObject, context: ReadContext): Media {
  const nested = firstRecord(block.image_url, block.source)
  const data =
    dataOf(nested) ??
    textMember(block, 'image_url') ??
    textMember(block, 'image') ??
    textMember(block, 'data')
  const detail = textMember(nested ?? block, 'detail')
  return { data, tokens: countImageData(data, context, detail) }
}

/** Anthropic documents hold a PDF, plain text, or blocks; the last two are counted as what they say. */
function readDocument(block: JsonObject, context: ReadContext): Media {
  const about = ['title', 'context']
    .map((name) => textMember(block, name))
    .filter((text) => text !== undefined)
    .join('\n')
  const aboutTokens = about === '' ? 0 : context.countTokens(about)
  const source = firstRecord(block.source)
  const text = source === undefined ? undefined : plainText(source)
  if (text !== undefined) return { data: text, tokens: aboutTokens + context.countTokens(text) }
  if (isArray(source?.content)) {
    return { data: undefined, tokens: aboutTokens + countOpaque(source.content, context) }
  }
  const data = dataOf(source) ?? textMember(block, 'data')
  return { data, tokens: aboutTokens + countDocumentData(data, context) }
}

function plainText(source: JsonObject): string | undefined {
  if (source.type === 'text') return textMember(source, 'data')
  return source.type === 'content' ? textMember(source, 'content') : undefined
}

/**
 * OpenAI `file`, in the Responses API with its members in the block itself; AI SDK `data` with a
 * media type that says what it is.
 */
function readFile(block: JsonObject, context: ReadContext): Media {
  const data = dataOf(firstRecord(block.file)) ?? dataOf(block) ?? textMember(block, 'file_url')
  const mediaType = textMember(block, 'mediaType') ?? textMember(block, 'mimeType') ?? data ?? ''
  const isImage = /^(?:data:)?image\//.test(mediaType)
  const tokens = isImage ? countImageData(data, context) : countDocumentData(data, context)
  return { data, tokens }
}

function readAudio(block: JsonObject): Media {
  const data = dataOf(firstRecord(block.input_audio)) ?? textMember(block, 'data')
  return { data, tokens: data === undefined ? 0 : countAudioData(data) }
}

function dataOf(source: JsonObject | undefined): string | undefined {
  if (source === undefined) return undefined
  return textMember(source, 'data') ?? textMember(source, 'url') ?? textMember(source, 'file_data')
}

function firstRecord(...values: (JsonValue | undefined)[]): JsonObject | undefined {
  return values.find((value) => isRecord(value))
}
