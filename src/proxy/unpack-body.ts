import type { InFlight } from '../http/in-flight.ts'
import { codingsOf, decodeBody } from './content-encoding.ts'
import type { ProxyReason } from './names.ts'

/**
 * The bytes without their content-encoding, or why they cannot be had.
 *
 * @param keep takes what gives back the room of an unpacked body, for the end of the request
 */
export type UnpackBody = (
  bytes: Buffer,
  encoding: string | undefined,
  keep: (release: () => void) => void,
) => Promise<Buffer | ProxyReason>

export interface UnpackOptions {
  /** Most bytes of a body, packed or not. */
  readonly maxBytes: number
  readonly inFlight: Pick<InFlight, 'hold'>
}

/** Unpacks bodies that will be sent on as they are unless somebody rewrites them. */
export function createBodyUnpacker({ maxBytes, inFlight }: UnpackOptions): UnpackBody {
  return async (bytes, encoding, keep) => {
    const codings = codingsOf(encoding)
    if (codings.length === 0) return bytes
    // What it unpacks to is not known beforehand, and has not been admitted with its few bytes.
    const release = inFlight.hold(maxBytes)
    if (release === undefined) return 'busy'
    const text = await decodeBody(bytes, codings, maxBytes)
    release()
    if (text === undefined) return 'content-encoding'
    const kept = inFlight.hold(text.length)
    if (kept === undefined) return 'busy'
    keep(kept)
    return text
  }
}
