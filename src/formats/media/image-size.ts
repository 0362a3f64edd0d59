import type { Base64Bytes } from './base64.ts'

export interface ImageSize {
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** Most segments before the frame header of a JPEG that are stepped over. */
const MAX_SEGMENTS = 200

/**
 * Width and height from the header of a PNG, JPEG, GIF or WebP image; undefined for anything else.
 * Reads tens of bytes, wherever in the file they are, and never decodes the image.
 */
export function readImageSize(bytes: Base64Bytes): ImageSize | undefined {
  const head = bytes.read(0, 32)
  const size = pngSize(head) ?? gifSize(head) ?? webpSize(head) ?? jpegSize(head, bytes)
  return size !== undefined && size.width > 0 && size.height > 0 ? size : undefined
}

function pngSize(head: Uint8Array): ImageSize | undefined {
  if (!startsWith(head, [0x89, 0x50, 0x4e, 0x47]) || head.length < 24) return undefined
  const view = viewOf(head)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

function gifSize(head: Uint8Array): ImageSize | undefined {
  if (!startsWith(head, [0x47, 0x49, 0x46, 0x38]) || head.length < 10) return undefined
  const view = viewOf(head)
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
}

/** RIFF container: lossy (`VP8 `), lossless (`VP8L`) and extended (`VP8X`) each say it in their way. */
function webpSize(head: Uint8Array): ImageSize | undefined {
  if (!startsWith(head, [0x52, 0x49, 0x46, 0x46]) || head.length < 30) return undefined
  if (ascii(head, 8, 12) !== 'WEBP') return undefined
  const view = viewOf(head)
  switch (ascii(head, 12, 16)) {
    case 'VP8 ':
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
    default:
      return undefined
  }
}

/** Steps from segment to segment: a camera's metadata can put the frame header 100 kB away. */
function jpegSize(head: Uint8Array, bytes: Base64Bytes): ImageSize | undefined {
  if (!startsWith(head, [0xff, 0xd8, 0xff])) return undefined
  let offset = 2
  for (let step = 0; step < MAX_SEGMENTS; step += 1) {
    const segment = bytes.read(offset, 9)
    if (segment.length < 9 || segment[0] !== 0xff) return undefined
    const marker = segment[1] ?? 0
    const view = viewOf(segment)
    if (isFrameHeader(marker)) return { width: view.getUint16(7), height: view.getUint16(5) }
    // Fill bytes, and markers that stand alone.
    const isBare = marker === 0xff || marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)
    offset += isBare ? (marker === 0xff ? 1 : 2) : 2 + view.getUint16(2)
  }
  return undefined
}

/** SOF0 to SOF15, without the three of that range that mean something else. */
function isFrameHeader(marker: number): boolean {
  if (marker < 0xc0 || marker > 0xcf) return false
  return marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc
}

function startsWith(bytes: Uint8Array, signature: readonly number[]): boolean {
  return signature.every((byte, index) => bytes[index] === byte)
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to))
}

function uint24(view: DataView, offset: number): number {
  return view.getUint16(offset, true) | (view.getUint8(offset + 2) << 16)
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
