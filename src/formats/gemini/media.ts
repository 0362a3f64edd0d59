/** Media of Gemini's parts, told apart by their MIME types and counted by Google's rules. */
import type { JsonObject } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { textMember } from '../json.ts'
import { AUDIO_TOKENS_PER_SECOND } from '../media/audio-seconds.ts'
import { base64Bytes } from '../media/base64.ts'
import {
  countAudioData,
  countDocumentData,
  countImageData,
  countUnknownData,
} from '../media/count-media.ts'

export interface Media {
  /** `image`, `document`, `audio`, `video`, `text` or `file`: what a label says. */
  readonly kind: string
  readonly tokens: number
  /** Base64, or the URI of a file. */
  readonly data: string | undefined
  /** Characters of base64 in the payload; 0 behind a reference. */
  readonly bytes: number
}

/**
 * A frame a second at 258 tokens, and the sound beside it ("Video understanding", "Understand and
 * count tokens"). A lower media resolution and clipping are not read.
 */
const VIDEO_TOKENS_PER_SECOND = 258 + AUDIO_TOKENS_PER_SECOND.google

/** 1 Mbit/s: nothing short of the container's index says how long a video is. */
const VIDEO_BYTES_PER_SECOND = 125_000

/** What a recording is taken for of which only the address is known. */
const ASSUMED_SECONDS = 60

/** `inlineData`: base64 beside its type. */
export function inlineMedia(blob: JsonObject, context: ReadContext): Media {
  const data = textMember(blob, 'data')
  const type = mimeTypeOf(blob)
  const kind = kindOf(type)
  const tokens =
    data === undefined ? countReference(kind, context) : countInline(kind, data, context)
  return { kind, tokens, data, bytes: data?.length ?? 0 }
}

/** `fileData`: the address of a file, behind which nothing can be seen. */
export function fileMedia(file: JsonObject, context: ReadContext): Media {
  const kind = kindOf(mimeTypeOf(file))
  const data = textMember(file, 'fileUri') ?? textMember(file, 'file_uri')
  return { kind, tokens: countReference(kind, context), data, bytes: 0 }
}

function mimeTypeOf(object: JsonObject): string {
  const type = textMember(object, 'mimeType') ?? textMember(object, 'mime_type') ?? ''
  return type.slice(0, 100).toLowerCase()
}

function kindOf(mimeType: string): Media['kind'] {
  if (mimeType.startsWith('application/pdf')) return 'document'
  const [family = ''] = mimeType.split('/')
  return ['image', 'audio', 'video', 'text'].includes(family) ? family : 'file'
}

function countInline(kind: Media['kind'], data: string, context: ReadContext): number {
  switch (kind) {
    case 'image':
      return countImageData(data, context)
    case 'document':
      return countDocumentData(data, context)
    case 'audio':
      return countAudioData(data, 'google')
    case 'video':
      return countSeconds(base64Bytes(data).length / VIDEO_BYTES_PER_SECOND)
    case 'text':
      return context.countTokens(Buffer.from(data, 'base64').toString('utf8'))
    default:
      return countUnknownData(data, context)
  }
}

function countReference(kind: Media['kind'], context: ReadContext): number {
  switch (kind) {
    case 'image':
      return context.countImage({})
    case 'audio':
      return ASSUMED_SECONDS * AUDIO_TOKENS_PER_SECOND.google
    case 'video':
      return countSeconds(ASSUMED_SECONDS)
    default:
      return context.countDocument({})
  }
}

function countSeconds(seconds: number): number {
  return Math.ceil(seconds * VIDEO_TOKENS_PER_SECOND)
}
