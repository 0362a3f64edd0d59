import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { isRecord, textMember } from '../json.ts'
import { countAudioData, countDocumentData, countImageData } from '../media/count-media.ts'

/** A file as it stands in the payload, whatever shape the SDK's version gives it. */
export interface Media {
  readonly tokens: number
  /** Base64, a data URL or a URL; undefined where the file is known by a reference only. */
  readonly data: string | undefined
}

/** Where the bytes are, over all shapes; `text` is a file that is written out as text. */
interface Source {
  readonly data?: string
  readonly text?: string
}

/**
 * `FilePart.data` and `ImagePart.image`: a string, or from version 7 on a tagged object
 * (`data`, `url`, `reference`, `text`). Bytes that went through JSON as an object are not looked into.
 */
function sourceOf(value: JsonValue | undefined): Source {
  if (typeof value === 'string') return value === '' ? {} : { data: value }
  if (!isRecord(value)) return {}
  if (value.type === 'text') return { text: textMember(value, 'text') ?? '' }
  const data =
    value.type === 'data'
      ? textMember(value, 'data')
      : value.type === 'url'
        ? textMember(value, 'url')
        : undefined
  return data === undefined ? {} : { data }
}

/** Media items of a tool's output: where each keeps its bytes, and what it is if it does not say. */
const OUTPUT_ITEMS: ReadonlyMap<string, { readonly member: string; readonly image: boolean }> =
  new Map([
    ['media', { member: 'data', image: false }],
    ['file', { member: 'data', image: false }],
    ['file-data', { member: 'data', image: false }],
    ['file-url', { member: 'url', image: false }],
    ['file-id', { member: 'fileId', image: false }],
    ['file-reference', { member: 'providerReference', image: false }],
    ['image-data', { member: 'data', image: true }],
    ['image-url', { member: 'url', image: true }],
    ['image-file-id', { member: 'fileId', image: true }],
    ['image-file-reference', { member: 'providerReference', image: true }],
  ])

const REFERENCE_MEMBERS: ReadonlySet<string> = new Set(['fileId', 'providerReference'])

/** A `file`, `image` or `reasoning-file` part of a message; undefined for other types. */
export function readMediaPart(
  part: JsonObject & { readonly type: string },
  context: ReadContext,
): Media | undefined {
  if (part.type === 'image') return countSource(sourceOf(part.image), part, true, context)
  if (part.type !== 'file' && part.type !== 'reasoning-file') return undefined
  return countSource(sourceOf(part.data), part, false, context)
}

/** An item of a tool's `content` output; undefined for types that are no media. */
export function readOutputMedia(
  item: JsonObject & { readonly type: string },
  context: ReadContext,
): Media | undefined {
  const known = OUTPUT_ITEMS.get(item.type)
  if (known === undefined) return undefined
  const source = REFERENCE_MEMBERS.has(known.member) ? {} : sourceOf(item[known.member])
  return countSource(source, item, known.image, context)
}

function countSource(
  { data, text }: Source,
  part: JsonObject,
  isImage: boolean,
  context: ReadContext,
): Media {
  if (text !== undefined) return { data: text, tokens: context.countTokens(text) }
  const mediaType = textMember(part, 'mediaType') ?? data?.slice(0, 100) ?? ''
  // The top level alone is enough from version 7 on: `image`, or `image/*`.
  if (isImage || /^(?:data:)?image(?:\/|$)/.test(mediaType)) {
    return { data, tokens: countImageData(data, context) }
  }
  if (data !== undefined && /^(?:data:)?audio(?:\/|$)/.test(mediaType)) {
    return { data, tokens: countAudioData(data) }
  }
  return { data, tokens: countDocumentData(data, context) }
}
