/** A Claude Code session transcript (JSON lines) as the conversation that its next request sends. */
import { PrecisError } from '../../engine/errors.ts'
import type { JsonObject, JsonValue, Warning } from '../../engine/transcript.ts'
import { locateJsonError } from '../../json-text/locate-json-error.ts'
import { type ByteRange, documentRange, memberRanges } from '../../json-text/ranges.ts'
import type { ByteSource } from './byte-source.ts'
import { type Line, readLines } from './lines.ts'
import { followMainChain } from './main-chain.ts'
import { toSendOrder } from './send-order.ts'
import { createSessionFaults, type SessionFaults } from './session-faults.ts'
import { isObject, type SessionRecord, toSessionRecord } from './session-record.ts'

export interface ClaudeCodeSession {
  /** JSON text of `{ "messages": [...] }`; role and content are the transcript's own bytes. */
  readonly bytes: Buffer
  /** Line of each message in the transcript, from 1. */
  readonly lines: readonly number[]
  /** Numbers of the messages that are summaries of Claude Code's own compactions. */
  readonly summaries: readonly number[]
  /** The model that answered last. */
  readonly model: string | undefined
  /** Lines of the transcript that are not blank. */
  readonly lineCount: number
  /** Line of the compaction boundary that the conversation begins behind. */
  readonly boundaryLine: number | undefined
  readonly warnings: readonly Warning[]
}

/**
 * Reads the source twice: once for how the records hang together, once for the messages that are sent.
 * Memory holds these messages and a few ids per record. Throws PrecisError('invalid-conversation'),
 * each fault with its line, and 'empty-conversation'.
 */
export async function readClaudeCodeSession(source: ByteSource): Promise<ClaudeCodeSession> {
  const faults = createSessionFaults()
  const { records, lineCount, warnings } = await readRecords(source, faults)
  faults.raise()
  const leaf = findLeaf(records)
  if (leaf === undefined) {
    throw new PrecisError('empty-conversation', 'The Claude Code transcript has no messages.')
  }
  const chain = followMainChain(leaf, records, faults)
  faults.raise()
  const sent = toSendOrder(chain.records, records.values())
  const pieces: Buffer[] = [Buffer.from('{"messages":[')]
  for (const [index, record] of sent.entries()) {
    if (index > 0) pieces.push(Buffer.from(','))
    pieces.push(await readMessage(record, source))
  }
  pieces.push(Buffer.from(']}'))
  return {
    bytes: Buffer.concat(pieces),
    lines: sent.map(({ line }) => line),
    summaries: [...sent.keys()].filter((index) => sent[index]?.isSummary === true),
    model: sent.findLast(({ model }) => model !== undefined)?.model,
    lineCount,
    boundaryLine: chain.boundary?.line,
    warnings: [...warnings, ...chain.warnings],
  }
}

interface ReadRecords {
  readonly records: ReadonlyMap<string, SessionRecord>
  readonly lineCount: number
  readonly warnings: readonly Warning[]
}

async function readRecords(source: ByteSource, faults: SessionFaults): Promise<ReadRecords> {
  const records = new Map<string, SessionRecord>()
  const warnings: Warning[] = []
  let lineCount = 0
  for await (const line of readLines(source)) {
    lineCount += 1
    const parsed = parseLine(line, faults)
    if (parsed === 'cut-short') {
      warnings.push({
        code: 'line-cut-short',
        message: `Line ${line.number}, the last one, is cut short and was left out: the session may still be written.`,
      })
    } else if (parsed !== undefined) {
      const { number, offset, bytes } = line
      const record = toSessionRecord(parsed, { line: number, offset, length: bytes.length })
      // A record that is written again is the same record.
      if (record !== undefined && !records.has(record.uuid)) records.set(record.uuid, record)
    }
  }
  return { records, lineCount, warnings }
}

function parseLine(line: Line, faults: SessionFaults): JsonObject | 'cut-short' | undefined {
  const text = decode(line.bytes)
  let value: JsonValue
  try {
    value = JSON.parse(text)
  } catch {
    if (!line.isEnded) return 'cut-short'
    const column = locateJsonError(text)?.column ?? 1
    faults.add(line.number, 'json', `column ${column}: is not JSON`)
    return undefined
  }
  if (isObject(value)) return value
  faults.add(line.number, 'type', 'must be an object')
  return undefined
}

function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.startsWith('\uFEFF') ? text.slice(1) : text
}

/** The last message; a transcript of nothing but a subagent's records is the subagent's session. */
function findLeaf(records: ReadonlyMap<string, SessionRecord>): SessionRecord | undefined {
  let main: SessionRecord | undefined
  let side: SessionRecord | undefined
  for (const record of records.values()) {
    if (record.kind !== 'user' && record.kind !== 'assistant') continue
    if (record.isSidechain) side = record
    else main = record
  }
  return main ?? side
}

/** The API takes a message's role and content; what its answer had besides, it refuses. */
async function readMessage(record: SessionRecord, source: ByteSource): Promise<Buffer> {
  const bytes = await source.range(record.offset, record.length)
  const message = memberOf(bytes, documentRange(bytes), 'message')
  const role = message && memberOf(bytes, message, 'role')
  const content = message && memberOf(bytes, message, 'content')
  return Buffer.concat([
    Buffer.from('{"role":'),
    role === undefined
      ? Buffer.from(JSON.stringify(record.kind))
      : bytes.subarray(role.start, role.end),
    Buffer.from(',"content":'),
    content === undefined ? Buffer.from('null') : bytes.subarray(content.start, content.end),
    Buffer.from('}'),
  ])
}

/** The last of that name, as a parser takes it. */
function memberOf(bytes: Buffer, object: ByteRange, name: string): ByteRange | undefined {
  return memberRanges(bytes, object).findLast(({ key }) => key === name)?.valueRange
}
