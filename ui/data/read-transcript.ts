/** A session of Claude Code (JSON lines) as the conversation that its next request sends. */
import { PrecisError } from '../../src/engine/errors.ts'
import type { JsonValue } from '../../src/engine/transcript.ts'
import { followMainChain } from '../../src/transcripts/claude-code/main-chain.ts'
import { toSendOrder } from '../../src/transcripts/claude-code/send-order.ts'
import { createSessionFaults } from '../../src/transcripts/claude-code/session-faults.ts'
import {
  isObject,
  type SessionRecord,
  toSessionRecord,
} from '../../src/transcripts/claude-code/session-record.ts'
import type { Problem } from './answer.ts'
import { memberRanges } from './json-text.ts'

export interface SessionText {
  /** JSON text of the list of messages; role and content are the session's own. */
  readonly messages: string
  /** Numbers of the messages that are summaries of Claude Code's own compactions. */
  readonly summaries: readonly number[]
  readonly model: string | undefined
}

/** Lines that are looked at to tell what a text is. */
const LINES_TO_TELL = 20
const RECORD_MEMBERS = ['uuid', 'parentUuid', 'sessionId', 'leafUuid', 'snapshot'] as const

/** By the structure of its first lines: objects with a type and a member that only a record has. */
export function isTranscript(text: string): boolean {
  return text
    .slice(0, 1_000_000)
    .split('\n', LINES_TO_TELL)
    .some((line) => {
      const record = parse(line)
      return (
        isObject(record) &&
        typeof record.type === 'string' &&
        RECORD_MEMBERS.some((member) => record[member] !== undefined)
      )
    })
}

export function readTranscript(text: string): SessionText | Problem {
  try {
    return sessionOf(text.split('\n'))
  } catch (error) {
    if (!(error instanceof PrecisError)) throw error
    const { message, faults } = error
    return { title: 'This session cannot be read', detail: message, errors: faults }
  }
}

function sessionOf(lines: readonly string[]): SessionText {
  const faults = createSessionFaults()
  const records = new Map<string, SessionRecord>()
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue
    const value = parse(line)
    if (value === undefined) {
      // The last line of a session that is still being written is cut short.
      if (index < lines.length - 1) faults.add(index + 1, 'json', 'is not JSON')
      continue
    }
    const place = { line: index + 1, offset: 0, length: line.length }
    const record = isObject(value) ? toSessionRecord(value, place) : undefined
    // A record that is written again is the same record.
    if (record !== undefined && !records.has(record.uuid)) records.set(record.uuid, record)
  }
  faults.raise()
  const said = [...records.values()].filter(({ kind }) => kind === 'user' || kind === 'assistant')
  // A session of nothing but a subagent's records is the subagent's.
  const leaf = said.findLast(({ isSidechain }) => !isSidechain) ?? said.at(-1)
  if (leaf === undefined) {
    throw new PrecisError('empty-conversation', 'The session has no messages.')
  }
  const chain = followMainChain(leaf, records, faults)
  faults.raise()
  const sent = toSendOrder(chain.records, records.values())
  return {
    messages: `[${sent.map((record) => messageOf(record, lines)).join(',')}]`,
    summaries: [...sent.keys()].filter((index) => sent[index]?.isSummary === true),
    model: sent.findLast(({ model }) => model !== undefined)?.model,
  }
}

/** The API takes a message's role and content; what its answer had besides, it refuses. */
function messageOf({ line, kind }: SessionRecord, lines: readonly string[]): string {
  const message = memberOf(lines[line - 1] ?? '', 'message') ?? '{}'
  const role = memberOf(message, 'role') ?? JSON.stringify(kind)
  return `{"role":${role},"content":${memberOf(message, 'content') ?? 'null'}}`
}

function memberOf(text: string, name: string): string | undefined {
  const range = memberRanges(text).get(name)
  return range && text.slice(range.start, range.end)
}

function parse(line: string): JsonValue | undefined {
  try {
    return JSON.parse(line.replace(/^\ufeff/, '')) as JsonValue
  } catch {
    return undefined
  }
}
