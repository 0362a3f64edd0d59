import {
  type ByteSink,
  collectBytes,
  writeByte,
  writeBytes,
  writeText,
} from '../../json-text/byte-sink.ts'
import { hasMember, isPlainArray, isPlainObject } from '../../json-text/plain-object.ts'
import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  OPENING_BRACE,
  OPENING_BRACKET,
} from '../../json-text/structural-bytes.ts'

/**
 * Elements of an array that become one string: few, so that strings of usual messages stay below the
 * size (128 KiB) from which V8 allocates each by itself; more than one, because every call costs.
 */
const ELEMENTS_PER_STRING = 16

/**
 * Values by the names of their members, each as the JSON text that stands for it, in UTF-8, or as a
 * function that writes that text.
 */
export type EncodedMembers = ReadonlyMap<string, Buffer | ((sink: ByteSink) => void)>

const NONE: EncodedMembers = new Map()

/**
 * The bytes of `JSON.stringify(value)`, for a value whose bulk is in arrays that are members of it,
 * such as a conversation under `messages`. Those are written a few elements at a time into a buffer
 * that is used again, which spares the string of the whole and a second pass over it; any other value
 * takes the plain way.
 *
 * Equal byte for byte for plain data. Only the argument of a `toJSON` method is not: members and
 * elements do not learn their key.
 *
 * @throws TypeError where JSON.stringify does (cycles, BigInt), and for a value that has no JSON
 */
export const encodeJson = (value: unknown): Buffer => {
  if (!isPlainObject(value)) return Buffer.from(JSON.stringify(value))
  return collectBytes((sink) => writeObject(sink, value, NONE))
}

/**
 * As `encodeJson`, but the members that `encoded` names are written as the text it gives: at the
 * place that the member has in `value`, whatever value it has there, or else at the end. The text is
 * not looked at: whoever gives it answers for its being one JSON value.
 */
export const encodeJsonWith = (
  value: Readonly<Record<string, unknown>>,
  encoded: EncodedMembers,
): Buffer => collectBytes((sink) => writeObject(sink, value, encoded))

const writeObject = (
  sink: ByteSink,
  value: Readonly<Record<string, unknown>>,
  encoded: EncodedMembers,
): void => {
  const start = sink.length
  for (const key of Object.keys(value)) {
    const json = encoded.get(key)
    if (json !== undefined) writeEncoded(sink, start, key, json)
    else writeMember(sink, start, key, value[key])
  }
  for (const [key, json] of encoded) {
    if (!hasMember(value, key)) writeEncoded(sink, start, key, json)
  }
  if (sink.length === start) writeByte(sink, OPENING_BRACE)
  writeByte(sink, CLOSING_BRACE)
}

const writeMember = (sink: ByteSink, start: number, key: string, member: unknown): void => {
  if (isPlainArray(member) && member.length > 0) {
    writeKey(sink, start, key)
    writeArray(sink, member)
    return
  }
  const text = JSON.stringify(member)
  // undefined, functions and symbols have no JSON, and their members are left out.
  if (text === undefined) return
  writeKey(sink, start, key)
  writeText(sink, text)
}

const writeEncoded = (
  sink: ByteSink,
  start: number,
  key: string,
  json: Buffer | ((sink: ByteSink) => void),
): void => {
  writeKey(sink, start, key)
  if (typeof json === 'function') json(sink)
  else writeBytes(sink, json, 0, json.length)
}

/** The first member of the object that begins at `start` comes after its brace, others after a comma. */
const writeKey = (sink: ByteSink, start: number, key: string): void => {
  writeByte(sink, sink.length === start ? OPENING_BRACE : COMMA)
  writeText(sink, JSON.stringify(key))
  writeByte(sink, COLON)
}

/** Each string comes in brackets of its own: the first turns into a comma, the last is overwritten. */
const writeArray = (sink: ByteSink, elements: readonly unknown[]): void => {
  for (let start = 0; start < elements.length; start += ELEMENTS_PER_STRING) {
    const at = sink.length
    writeText(sink, JSON.stringify(elements.slice(start, start + ELEMENTS_PER_STRING)))
    sink.buffer[at] = start === 0 ? OPENING_BRACKET : COMMA
    sink.length -= 1
  }
  writeByte(sink, CLOSING_BRACKET)
}
