/** Tokens of images, documents, audio and encrypted text: by what they are, never as base64 text. */
import { createHash } from 'node:crypto'
import type { ReadContext } from '../adapter.ts'
import { AUDIO_TOKENS_PER_SECOND, readAudioSeconds } from './audio-seconds.ts'
import { type Base64Bytes, base64Bytes, parseDataUrl } from './base64.ts'
import { readImageSize } from './image-size.ts'
import { readPdfPages } from './pdf-pages.ts'

/**
 * `data` is base64, a data URL, or a reference (an http URL, a file id) behind which nothing can be
 * seen: the context's default for an unknown size then counts.
 */
export function countImageData(
  data: string | undefined,
  context: ReadContext,
  detail?: string,
): number {
  const size = data === undefined ? undefined : sizeOf(data)
  return context.countImage({
    ...size,
    ...(detail !== undefined && { detail }),
  })
}

function sizeOf(data: string) {
  const bytes = bytesOf(data)
  return bytes === undefined ? undefined : readImageSize(bytes)
}

export function countDocumentData(data: string | undefined, context: ReadContext): number {
  const bytes = data === undefined ? undefined : bytesOf(data)
  if (bytes === undefined) return context.countDocument({})
  const pages = readPdfPages(bytes)
  return context.countDocument({ bytes: bytes.length, ...(pages !== undefined && { pages }) })
}

/** An image, a PDF, or what cannot be told: counted as an image of unknown size. */
export function countUnknownData(data: string, context: ReadContext): number {
  const bytes = bytesOf(data)
  if (bytes === undefined) return context.countImage({})
  if (String.fromCharCode(...bytes.read(0, 5)) === '%PDF-') return countDocumentData(data, context)
  return context.countImage({ ...readImageSize(bytes) })
}

export function countAudioData(
  data: string,
  provider: keyof typeof AUDIO_TOKENS_PER_SECOND = 'openai',
): number {
  const bytes = bytesOf(data)
  const rate = AUDIO_TOKENS_PER_SECOND[provider]
  return bytes === undefined ? 0 : Math.ceil(readAudioSeconds(bytes) * rate)
}

/**
 * Text that only the provider can read (redacted thinking, encrypted search results) costs what its
 * plain text costs. That is as long as the bytes, at four bytes to a token: an estimate.
 */
export function countEncrypted(base64: string): number {
  return Math.ceil((base64.length * 3) / 4 / 4)
}

/**
 * A label that differs where the content differs, so that two screenshots are never taken for one
 * and the same tool result.
 */
export function mediaLabel(type: string, data: string): string {
  return `[${type} ${createHash('sha1').update(data).digest('hex').slice(0, 12)}]`
}

function bytesOf(data: string): Base64Bytes | undefined {
  if (data.startsWith('data:')) {
    const url = parseDataUrl(data)
    return url === undefined ? undefined : base64Bytes(url.base64)
  }
  return isReference(data) ? undefined : base64Bytes(data)
}

/** A scheme's colon is no character of base64. */
function isReference(data: string): boolean {
  return /^[a-z][a-z0-9+.-]{0,20}:/i.test(data.slice(0, 32))
}
