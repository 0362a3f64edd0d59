import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, type ZlibOptions } from 'node:zlib'

type Decode = (body: Buffer, options: ZlibOptions) => Promise<Buffer>

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['x-gzip', promisify<Buffer, ZlibOptions, Buffer>(gunzip)],
  ['deflate', promisify<Buffer, ZlibOptions, Buffer>(inflate)],
  ['br', promisify(brotliDecompress)],
])

/** More than one is legal and hardly ever sent; each costs a pass over all that the last one gave. */
const MAX_CODINGS = 3

/** Codings of a content-encoding header in the order in which they were applied; identity is none. */
export function codingsOf(header: string | undefined): readonly string[] {
  return (header ?? '')
    .split(',')
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== '' && coding !== 'identity')
}

/**
 * The body without its codings. Undefined where one is not known or broken, or where any step gives
 * more than `maxBytes`: it stops there, so that a small body cannot fill the memory. Works outside the
 * main thread.
 */
export async function decodeBody(
  body: Buffer,
  codings: readonly string[],
  maxBytes: number,
): Promise<Buffer | undefined> {
  if (codings.length > MAX_CODINGS) return undefined
  let decoded = body
  for (const coding of codings.toReversed()) {
    const decode = DECODERS.get(coding)
    if (decode === undefined) return undefined
    try {
      decoded = await decode(decoded, { maxOutputLength: maxBytes })
    } catch {
      return undefined
    }
  }
  return decoded
}
