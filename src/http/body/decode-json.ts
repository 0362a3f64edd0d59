import { isAscii, isUtf8 } from 'node:buffer'
import { escapeNonAscii } from './escape-non-ascii.ts'

/** Largest scratch that is kept between bodies, per decoder; larger bodies take the plain way. */
const MAX_SCRATCH_BYTES = 16 * 1024 * 1024

const MIN_SCRATCH_BYTES = 64 * 1024

/** Smaller bodies take the plain way, which is as fast for them. */
const DEFAULT_ESCAPE_FROM_BYTES = 16 * 1024

/** Growth, beside an eighth of the text, up to which escaping beats decoding: see bench/body-path. */
const MAX_GROWTH_BYTES = 4 * 1024

export interface JsonDecoderOptions {
  /** Smallest body whose characters beyond ASCII are escaped. Default 16 KiB. */
  readonly escapeFromBytes?: number
}

export type DecodeJson = (body: Buffer) => unknown

/**
 * A decoder of JSON bodies that gives exactly what
 * `JSON.parse(new TextDecoder('utf-8').decode(body))` gives: one leading byte order mark is ignored,
 * what is not UTF-8 becomes U+FFFD by the WHATWG rules, and the same input is refused.
 *
 * V8 turns bytes into a string several times faster when they are all ASCII, and one other character
 * doubles the size of the whole string. So characters beyond ASCII are first written as `\uXXXX` into
 * a scratch buffer that is used again for the next body; nothing of it outlives the call but the bytes.
 *
 * @throws SyntaxError whose message quotes the body: it must not be passed on
 */
export const createJsonDecoder = ({
  escapeFromBytes = DEFAULT_ESCAPE_FROM_BYTES,
}: JsonDecoderOptions = {}): DecodeJson => {
  let scratch: Buffer | undefined

  const reserve = (bytes: number): Buffer => {
    if (scratch === undefined || scratch.length < bytes) {
      scratch = Buffer.allocUnsafeSlow(roundUp(bytes))
    }
    return scratch
  }

  /** The body as ASCII text that parses to the same value, or undefined when that does not pay. */
  const toAscii = (body: Buffer): string | undefined => {
    const bytes = body.length + (body.length >> 3) + MAX_GROWTH_BYTES + 12
    if (body.length < escapeFromBytes || bytes > MAX_SCRATCH_BYTES) return undefined
    if (!isUtf8(body)) return undefined
    const target = reserve(bytes)
    const written = escapeNonAscii(body, target, MAX_GROWTH_BYTES)
    return written === -1 ? undefined : target.toString('latin1', 0, written)
  }

  return (body) => {
    if (isAscii(body)) return JSON.parse(body.toString('latin1'))
    const escaped = toAscii(body)
    if (escaped !== undefined) {
      try {
        return JSON.parse(escaped)
      } catch {
        // Parsed again below, so that the position in the error is that of the text that was sent.
      }
    }
    return JSON.parse(decodeJsonText(body))
  }
}

/** The text of a JSON body by the WHATWG rules: what is not UTF-8 becomes U+FFFD, one mark goes. */
export const decodeJsonText = (body: Buffer): string =>
  body.toString('utf8', hasByteOrderMark(body) ? 3 : 0)

const hasByteOrderMark = (body: Buffer): boolean =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf

/** The next power of two, so that bodies that grow with a conversation do not each allocate. */
const roundUp = (bytes: number): number => {
  let size = MIN_SCRATCH_BYTES
  while (size < bytes) size *= 2
  return size
}
