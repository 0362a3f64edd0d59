/** What a file holds: a request body, a bare list of messages, or a Claude Code transcript. */
import { type Fault, PrecisError } from '../../engine/errors.ts'
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { ListMember } from '../../formats/conversation-list.ts'
import { decodeJsonText } from '../../http/body/decode-json.ts'
import { locateJsonError } from '../../json-text/locate-json-error.ts'
import type { ByteSource } from '../../transcripts/claude-code/byte-source.ts'
import { isClaudeCodeSession } from '../../transcripts/claude-code/is-session.ts'
import {
  type ClaudeCodeSession,
  readClaudeCodeSession,
} from '../../transcripts/claude-code/read-session.ts'
import { listMemberOf } from './list-member.ts'

export interface InputDocument {
  /** A bare list is written as a bare list again. */
  readonly kind: 'body' | 'list' | 'transcript'
  /** JSON text (UTF-8) of the document; of a transcript, of the conversation that was read from it. */
  readonly bytes: Buffer
  /** Members of the body; of a bare list the member in which a body would have it. */
  readonly members: JsonObject
  /** Present if it is a transcript. */
  readonly session?: Omit<ClaudeCodeSession, 'bytes'>
}

/** Throws PrecisError; text that is no JSON is told by line and column. */
export async function readDocument(source: ByteSource): Promise<InputDocument> {
  if (await isClaudeCodeSession(source)) {
    const { bytes, ...session } = await readClaudeCodeSession(source)
    const members = parseJson(bytes) as JsonObject
    return { kind: 'transcript', bytes, members, session }
  }
  const chunks: Buffer[] = []
  for await (const chunk of source.chunks()) chunks.push(chunk)
  const bytes = Buffer.concat(chunks)
  const value = parseJson(bytes)
  if (Array.isArray(value)) {
    const list: ListMember = listMemberOf(value)
    return { kind: 'list', bytes, members: { [list]: value } }
  }
  if (typeof value === 'object' && value !== null) return { kind: 'body', bytes, members: value }
  throw invalid('The input holds no conversation.', {
    pointer: '',
    rule: 'type',
    detail: 'must be an object with the conversation, or an array of messages',
  })
}

function parseJson(bytes: Buffer): JsonValue {
  let text: string
  try {
    text = decodeJsonText(bytes)
  } catch {
    // Longer than the longest string of the engine that runs this.
    throw new PrecisError('payload-too-large', 'The input is too large to be one JSON document.')
  }
  try {
    return JSON.parse(text) as JsonValue
  } catch {
    if (text.trim() === '') throw new PrecisError('invalid-json', 'The input is empty.')
    const place = locateJsonError(text)
    throw new PrecisError(
      'invalid-json',
      place === undefined
        ? 'The input is not JSON.'
        : `The input is not JSON: line ${place.line}, column ${place.column}.`,
    )
  }
}

function invalid(message: string, fault: Fault): PrecisError {
  return new PrecisError('invalid-request', message, { faults: [fault] })
}
