import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { isRecord } from '../json.ts'
import { mediaLabel } from '../media/count-media.ts'
import { isBase64 } from '../media/opaque-tokens.ts'

export interface ResponseText {
  /** What a reader is shown. Base64 in it is a label with a fingerprint. */
  readonly text: string
  /** What the text stands for. */
  readonly value: JsonValue
  readonly isError: boolean
  /** The member under which a new text stands. */
  readonly member: string
}

/**
 * What a function responded. The API reads `output` or `error`, and the whole object where it has
 * neither ("FunctionResponse"). An object of one member says what this member says, and a new text
 * takes its place there. Any other is shown whole, as JSON text, and a new text stands under the
 * API's own names.
 */
export function responseText(response: JsonValue | undefined): ResponseText {
  if (!isRecord(response)) return { ...shown(response ?? ''), isError: false, member: 'output' }
  const isError = saysError(response)
  const [only, ...others] = Object.keys(response)
  if (only === undefined) return { ...shown(''), isError, member: 'output' }
  if (others.length === 0) return { ...shown(response[only] ?? ''), isError, member: only }
  return { ...shown(response), isError, member: isError ? 'error' : 'output' }
}

/** A copy that says only `text`. Media beside it go: clearing a response clears all of it. */
export function rewriteResponse(functionResponse: JsonObject, text: string): JsonObject {
  const { member } = responseText(functionResponse.response)
  const { parts: _media, ...rest } = functionResponse
  return { ...rest, response: { [member]: text } }
}

function saysError({ output, error }: JsonObject): boolean {
  const isThere = error !== undefined && error !== null && error !== '' && error !== false
  return isThere && (output === undefined || output === null)
}

function shown(value: JsonValue): Pick<ResponseText, 'text' | 'value'> {
  if (typeof value === 'string') return { text: labelled(value), value }
  const text = JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'string' ? labelled(member) : member,
  )
  return { text, value }
}

function labelled(text: string): string {
  return isBase64(text) ? mediaLabel('base64', text) : text
}
