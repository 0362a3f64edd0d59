import { documentRange, memberRanges } from '../../json-text/ranges.ts'
import { QUOTE } from '../../json-text/structural-bytes.ts'
import type { ByteSource } from './byte-source.ts'
import { readLines } from './lines.ts'

/** How far a record is looked for: a damaged first line must not hide what the file is. */
const MAX_LINES = 20
const MAX_BYTES = 16 * 1024 * 1024

/** Members of every kind of record that Claude Code writes, beside `type`. */
const RECORD_MEMBERS: ReadonlySet<string> = new Set([
  'uuid',
  'parentUuid',
  'sessionId',
  'leafUuid',
  'snapshot',
])

/** Members of a request body, which may well be one line of JSON too. */
const CONVERSATION_MEMBERS: ReadonlySet<string> = new Set(['messages', 'input', 'contents'])

/**
 * Whether the bytes are lines of Claude Code's session records, by the structure of the first lines:
 * objects with a `type` and a member that only a record has. Reads no further than it must.
 */
export async function isClaudeCodeSession(source: Pick<ByteSource, 'chunks'>): Promise<boolean> {
  let seen = 0
  for await (const { bytes, offset } of readLines(source)) {
    const verdict = readVerdict(bytes)
    if (verdict !== undefined) return verdict
    seen += 1
    if (seen >= MAX_LINES || offset > MAX_BYTES) return false
  }
  return false
}

/** Undefined where a line says nothing: no object, or a damaged one. */
function readVerdict(bytes: Buffer): boolean | undefined {
  let isTyped = false
  let isRecord = false
  for (const { key, valueRange } of memberRanges(bytes, documentRange(bytes))) {
    if (CONVERSATION_MEMBERS.has(key)) return false
    if (key === 'type') isTyped = bytes[valueRange.start] === QUOTE
    else if (RECORD_MEMBERS.has(key)) isRecord = true
  }
  if (isTyped && isRecord) return true
  return undefined
}
