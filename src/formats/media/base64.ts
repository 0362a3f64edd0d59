/**
 * Looks into base64 without decoding it whole: four characters are three bytes, so any slice of
 * bytes can be decoded by itself.
 */

/** Characters that are cleaned when the text is broken into lines: the reach of a look into it. */
const CLEANED_PREFIX = 1 << 18

const LINE_BREAK = /[\r\n\t ]/

export interface Base64Bytes {
  /** Number of bytes of the whole. */
  readonly length: number
  /** Up to `count` bytes from `offset`; fewer or none at the end, or where the text is not base64. */
  readonly read: (offset: number, count: number) => Uint8Array
}

export function base64Bytes(text: string): Base64Bytes {
  const isBroken = LINE_BREAK.test(text.slice(0, 200))
  const clean = isBroken ? text.slice(0, CLEANED_PREFIX).replace(/[\r\n\t ]+/g, '') : text
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  return {
    length: Math.max(0, Math.floor((text.length * 3) / 4) - padding),
    read: (offset, count) => {
      const group = Math.floor(offset / 3)
      const skip = offset - group * 3
      const groups = Math.ceil((skip + count) / 3)
      const bytes = Buffer.from(clean.slice(group * 4, (group + groups) * 4), 'base64')
      return bytes.subarray(skip, skip + count)
    },
  }
}

export interface DataUrl {
  /** Lower case, without parameters; '' where the URL names none. */
  readonly mediaType: string
  readonly base64: string
}

/** The head of a data URL is short: what is longer is no data URL that any provider takes. */
const DATA_URL = /^data:([^,;]{0,100})((?:;[^,;]{0,100}){0,5});base64,/i

export function parseDataUrl(text: string): DataUrl | undefined {
  if (!text.startsWith('data:')) return undefined
  const match = DATA_URL.exec(text.slice(0, 1000))
  if (match === null) return undefined
  return { mediaType: (match[1] ?? '').toLowerCase(), base64: text.slice(match[0].length) }
}
