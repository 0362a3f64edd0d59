import { isUtf8 } from 'node:buffer'
import type { JsonObject } from '../engine/transcript.ts'
import { isRecord } from '../formats/json.ts'
import { createJsonDecoder } from '../http/body/decode-json.ts'
import { isNestedDeeperThan } from '../http/body/nesting-depth.ts'
import type { InFlight } from '../http/in-flight.ts'
import { MAX_BODY_DEPTH } from '../http/plugins/json-body.ts'
import { codingsOf, decodeBody } from './content-encoding.ts'
import type { ProxyReason } from './names.ts'

/** A body as JSON, and the bytes that it was parsed from: what came, unpacked. */
export interface ReadBody {
  readonly text: Buffer
  readonly json: JsonObject
}

export interface BodyReader {
  /**
   * The bytes without their content-encoding, or why they cannot be had.
   *
   * @param keep takes what gives back the room of an unpacked body, for the end of the request
   */
  readonly unpack: (
    bytes: Buffer,
    encoding: string | undefined,
    keep: (release: () => void) => void,
  ) => Promise<Buffer | ProxyReason>
  readonly parse: (text: Buffer) => ReadBody | ProxyReason
}

export interface BodyReaderOptions {
  /** Most bytes of a body, packed or not. */
  readonly maxBytes: number
  readonly inFlight: Pick<InFlight, 'hold'>
}

/** Looks into bodies that will be sent on as they are unless somebody rewrites them. */
export function createBodyReader({ maxBytes, inFlight }: BodyReaderOptions): BodyReader {
  const decode = createJsonDecoder()

  return {
    parse: (text) => {
      if (!isUtf8(text) || isNestedDeeperThan(text, MAX_BODY_DEPTH)) return 'not-json'
      try {
        const json = decode(text)
        return isRecord(json) ? { text, json } : 'other-format'
      } catch {
        return 'not-json'
      }
    },

    unpack: async (bytes, encoding, keep) => {
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
    },
  }
}
