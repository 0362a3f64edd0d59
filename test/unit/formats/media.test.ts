import { describe, expect, it } from 'vitest'
import { readAudioSeconds } from '../../../src/formats/media/audio-seconds.ts'
import { base64Bytes, parseDataUrl } from '../../../src/formats/media/base64.ts'
import {
  countAudioData,
  countDocumentData,
  countEncrypted,
  countImageData,
  mediaLabel,
} from '../../../src/formats/media/count-media.ts'
import { readImageSize } from '../../../src/formats/media/image-size.ts'
import { countOpaque } from '../../../src/formats/media/opaque-tokens.ts'
import { readPdfPages } from '../../../src/formats/media/pdf-pages.ts'
import { base64, gif, jpeg, pdf, png, wav, webp } from './sample-media.ts'
import { context } from './support.ts'

const sizeOf = (bytes: Uint8Array) => readImageSize(base64Bytes(base64(bytes)))
const pagesOf = (bytes: Uint8Array) => readPdfPages(base64Bytes(base64(bytes)))

describe('image headers', () => {
  it.each([
    ['PNG', png(640, 480), { width: 640, height: 480 }],
    ['PNG wider than 16 bits', png(70_000, 3), { width: 70_000, height: 3 }],
    ['GIF', gif(320, 200), { width: 320, height: 200 }],
    ['baseline JPEG', jpeg(1024, 768), { width: 1024, height: 768 }],
    ['progressive JPEG', jpeg(300, 500, 10, 0xc2), { width: 300, height: 500 }],
    ['JPEG behind 60 kB of EXIF', jpeg(4000, 3000, 60_000), { width: 4000, height: 3000 }],
    ['lossy WebP', webp('VP8 ', 550, 368), { width: 550, height: 368 }],
    ['lossless WebP', webp('VP8L', 386, 395), { width: 386, height: 395 }],
    ['extended WebP', webp('VP8X', 20_000, 10), { width: 20_000, height: 10 }],
  ])('gives the size of a %s', (_, bytes, size) => {
    expect(sizeOf(bytes)).toEqual(size)
  })

  it.each([
    ['no bytes', new Uint8Array()],
    ['a PNG cut inside its header', png(640, 480).subarray(0, 20)],
    ['a JPEG without a frame header', jpeg(9, 9).subarray(0, 30)],
    ['a PNG of no width', png(0, 480)],
    [
      'a WebP of an unknown kind',
      webp('VP8X', 5, 5).map((byte, index) => (index === 15 ? 0x59 : byte)),
    ],
    ['text', new TextEncoder().encode('this is not an image, but long enough for one')],
  ])('gives no size for %s', (_, bytes) => {
    expect(sizeOf(bytes)).toBeUndefined()
  })

  it('does not step through a JPEG of endless empty segments', () => {
    const endless = new Uint8Array(100_000).fill(0xff)
    endless.set([0xff, 0xd8, 0xff])
    expect(sizeOf(endless)).toBeUndefined()
  })
})

describe('base64', () => {
  it('reads any slice as decoding the whole would', () => {
    const bytes = png(1, 1, 90)
    const { read, length } = base64Bytes(base64(bytes))
    expect(length).toBe(bytes.length)
    for (const offset of [0, 1, 2, 3, 40, length - 1]) {
      expect([...read(offset, 7)]).toEqual([...bytes.subarray(offset, offset + 7)])
    }
  })

  it('reads base64 that is broken into lines', () => {
    const lines = base64(jpeg(800, 600, 500)).replace(/.{76}/g, '$&\r\n')
    expect(readImageSize(base64Bytes(lines))).toEqual({ width: 800, height: 600 })
  })

  it.each([
    ['data:image/png;base64,AAAA', { mediaType: 'image/png', base64: 'AAAA' }],
    [
      'data:image/svg+xml;charset=utf-8;base64,AA==',
      { mediaType: 'image/svg+xml', base64: 'AA==' },
    ],
    ['data:;base64,AAAA', { mediaType: '', base64: 'AAAA' }],
    ['data:text/plain,hello', undefined],
    ['https://example.com/a.png', undefined],
  ])('takes %s apart', (url, expected) => {
    expect(parseDataUrl(url)).toEqual(expected)
  })
})

describe('PDF pages', () => {
  it.each([
    ['the page tree', pdf(12), 12],
    ['the head of a linearised file', pdf(34, 'linearised'), 34],
    ['its page objects, where no count is given', pdf(3, 'uncounted'), 3],
    ['a page tree at the end of 3 MB', pdf(7, 'counted', 'x'.repeat(3_000_000)), 7],
  ])('are read from %s', (_, bytes, pages) => {
    expect(pagesOf(bytes)).toBe(pages)
  })

  it.each([
    ['a compressed page tree', pdf(5, 'compressed')],
    ['bytes that are no PDF', new TextEncoder().encode('/Type /Pages /Count 5')],
    ['an absurd count', pdf(999_999)],
  ])('are not known for %s', (_, bytes) => {
    expect(pagesOf(bytes)).toBeUndefined()
  })

  it('does not take the count of the bookmarks for that of the pages', () => {
    expect(pagesOf(pdf(2))).toBe(2)
  })
})

describe('audio', () => {
  it('has the seconds that a WAV header says', () => {
    expect(readAudioSeconds(base64Bytes(base64(wav(2))))).toBeCloseTo(2, 3)
    expect(countAudioData(base64(wav(2)))).toBe(20)
  })

  it('is taken for 128 kbit/s where its header is not known', () => {
    expect(countAudioData(base64(new Uint8Array(48_000)))).toBe(30)
  })
})

describe('what media count', () => {
  it('is the image by its dimensions, out of base64, a data URL, or an unknown URL', () => {
    const data = base64(png(20, 10))
    expect(countImageData(data, context)).toBe(200_000)
    expect(countImageData(`data:image/png;base64,${data}`, context, 'low')).toBe(200_001)
    expect(countImageData('https://example.com/a.png', context)).toBe(7_000_000)
    expect(countImageData(undefined, context)).toBe(7_000_000)
  })

  it('is the document by its pages, else by its bytes, else by the default', () => {
    expect(countDocumentData(base64(pdf(3)), context)).toBe(300_000)
    expect(countDocumentData(base64(pdf(3, 'compressed')), context)).toBe(9_000_001)
    expect(countDocumentData('https://example.com/a.pdf', context)).toBe(9_000_000)
  })

  it('is a token for four bytes of text that only the provider can read', () => {
    expect(countEncrypted(base64(new Uint8Array(120)))).toBe(30)
    expect(countEncrypted('AAAA')).toBe(1)
  })

  it('is the JSON text of an unknown value, without its base64', () => {
    const image = base64(png(20, 10, 3000))
    const json = JSON.stringify({ type: 'novel', data: '', note: 'kept' })
    expect(countOpaque({ type: 'novel', data: image, note: 'kept' }, context)).toBe(
      json.length + 200_000,
    )
    expect(countOpaque({ a: [{ b: `data:image/png;base64,${image}` }] }, context)).toBe(
      '{"a":[{"b":""}]}'.length + 200_000,
    )
    expect(countOpaque({ d: base64(pdf(2, 'counted', 'y'.repeat(400))) }, context)).toBe(
      '{"d":""}'.length + 200_000,
    )
    expect(countOpaque({ d: 'A'.repeat(4000) }, context)).toBe('{"d":""}'.length + 7_000_000)
  })

  it('counts encrypted members by their length and prose as it is', () => {
    const prose = 'words and more words, '.repeat(50)
    expect(countOpaque({ encrypted_content: 'A'.repeat(1600) }, context)).toBe(
      '{"encrypted_content":""}'.length + 300,
    )
    expect(countOpaque({ text: prose }, context)).toBe(JSON.stringify({ text: prose }).length)
  })

  it('labels differ where the bytes differ', () => {
    expect(mediaLabel('image', 'AAAA')).toMatch(/^\[image [0-9a-f]{12}\]$/)
    expect(mediaLabel('image', 'AAAA')).not.toBe(mediaLabel('image', 'AAAB'))
  })
})
