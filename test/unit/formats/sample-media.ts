/** Tiny files, built byte by byte: just enough of each for its header to be real. */

export function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

function ascii(text: string): number[] {
  return [...text].map((character) => character.charCodeAt(0))
}

function big32(value: number): number[] {
  return [(value >>> 24) & 0xff, (value >>> 16) & 0xff, (value >>> 8) & 0xff, value & 0xff]
}

function little16(value: number): number[] {
  return [value & 0xff, (value >>> 8) & 0xff]
}

function little24(value: number): number[] {
  return [...little16(value), (value >>> 16) & 0xff]
}

function little32(value: number): number[] {
  return [...little24(value), (value >>> 24) & 0xff]
}

/** Signature and IHDR, then `padding` bytes in the place of the picture. */
export function png(width: number, height: number, padding = 16): Uint8Array {
  const header = [...big32(13), ...ascii('IHDR'), ...big32(width), ...big32(height)]
  const signature = [0x89, ...ascii('PNG\r\n'), 0x1a, 0x0a]
  return new Uint8Array([
    ...signature,
    ...header,
    ...[8, 6, 0, 0, 0],
    ...new Array<number>(padding).fill(7),
  ])
}

export function gif(width: number, height: number): Uint8Array {
  return new Uint8Array([
    ...ascii('GIF89a'),
    ...little16(width),
    ...little16(height),
    0,
    0,
    0,
    0x3b,
  ])
}

/** SOI, an EXIF segment of the given size, a Huffman table, then the frame header. */
export function jpeg(
  width: number,
  height: number,
  exifBytes = 10,
  frameMarker = 0xc0,
): Uint8Array {
  const segment = (marker: number, body: number[]): number[] => {
    const length = body.length + 2
    return [0xff, marker, length >> 8, length & 0xff, ...body]
  }
  const frame = [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3, 1, 0x22, 0]
  return new Uint8Array([
    0xff,
    0xd8,
    ...segment(0xe1, new Array<number>(exifBytes).fill(0)),
    ...segment(0xc4, [1, 2, 3, 4, 5, 6, 7]),
    0xff,
    ...segment(frameMarker, frame),
    0xff,
    0xd9,
  ])
}

export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Uint8Array {
  const body = {
    'VP8 ': [0, 0, 0, 0x9d, 0x01, 0x2a, ...little16(width), ...little16(height), 0, 0],
    VP8L: [0x2f, ...little32(((height - 1) << 14) | (width - 1)), 0, 0, 0, 0, 0],
    VP8X: [0, 0, 0, 0, ...little24(width - 1), ...little24(height - 1)],
  }[kind]
  return new Uint8Array([
    ...ascii('RIFF'),
    ...little32(body.length + 12),
    ...ascii('WEBP'),
    ...ascii(kind),
    ...little32(body.length),
    ...body,
  ])
}

/** 16-bit mono at the given rate. */
export function wav(seconds: number, samplesPerSecond = 8000): Uint8Array {
  const dataBytes = seconds * samplesPerSecond * 2
  return new Uint8Array([
    ...ascii('RIFF'),
    ...little32(36 + dataBytes),
    ...ascii('WAVEfmt '),
    ...little32(16),
    ...little16(1),
    ...little16(1),
    ...little32(samplesPerSecond),
    ...little32(samplesPerSecond * 2),
    ...little16(2),
    ...little16(16),
    ...ascii('data'),
    ...little32(dataBytes),
    ...new Array<number>(dataBytes).fill(0),
  ])
}

/** A page tree of the given shape; `filler` stands before it, bookmarks after it. */
export function pdf(
  pages: number,
  form: 'counted' | 'uncounted' | 'linearised' | 'compressed' = 'counted',
  filler = '',
): Uint8Array {
  const tree = {
    counted: `2 0 obj << /Type /Pages /Kids [] /Count ${pages} >> endobj`,
    uncounted: '/Type /Page '.repeat(pages),
    linearised: '',
    compressed: '2 0 obj << /Type /ObjStm >> stream endstream endobj',
  }[form]
  const first = form === 'linearised' ? `<< /Linearized 1 /L 999 /N ${pages} /T 9 >>` : ''
  return new TextEncoder().encode(
    `%PDF-1.7\n1 0 obj ${first} endobj\n${filler}\n${tree}\n5 0 obj << /Type /Outlines /Count 4000 >>\n%%EOF`,
  )
}
