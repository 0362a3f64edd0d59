/** A recorded Claude Code session around its own compaction: what came before, and what was needed after. */
import { readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { readClaudeCodeMessages } from '../../lib/claude-code-messages.ts'

/** A tool call on a file, before the boundary. */
export interface FileExchange {
  readonly id: string
  readonly tool: string
  readonly path: string
}

export interface RecordedSession {
  /** Anthropic messages up to the compaction boundary. */
  readonly messages: readonly JsonObject[]
  /** Exchanges before the boundary on files that were read again after it, in order. */
  readonly needed: readonly FileExchange[]
  /** What the recorded compaction left in place of the messages. */
  readonly summary: string
}

interface Line {
  readonly subtype?: string
  readonly isSidechain?: boolean
  readonly isCompactSummary?: boolean
  readonly message?: { readonly content?: JsonValue }
}

const FILE_TOOLS: ReadonlySet<string> = new Set(['Read', 'Edit', 'MultiEdit', 'Write'])

export function readRecordedSession(file: string): RecordedSession {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text) as Line)
  return { messages: readClaudeCodeMessages(file), ...aroundBoundary(lines) }
}

export function aroundBoundary(lines: readonly Line[]): Omit<RecordedSession, 'messages'> {
  const boundary = lines.findIndex(({ subtype }) => subtype === 'compact_boundary')
  if (boundary === -1) throw new Error('the session was never compacted')
  const next = lines.findIndex(
    ({ subtype }, index) => index > boundary && subtype === 'compact_boundary',
  )
  const after = lines.slice(boundary, next === -1 ? undefined : next)
  const readAgain = new Set(
    exchangesOf(after)
      .filter(({ tool }) => tool === 'Read')
      .map(({ path }) => path),
  )
  const summary = after.find(({ isCompactSummary }) => isCompactSummary === true)
  return {
    needed: exchangesOf(lines.slice(0, boundary)).filter(({ path }) => readAgain.has(path)),
    summary: JSON.stringify(summary?.message?.content ?? ''),
  }
}

function exchangesOf(lines: readonly Line[]): FileExchange[] {
  return lines
    .filter(({ isSidechain }) => isSidechain !== true)
    .flatMap(({ message }) => (Array.isArray(message?.content) ? message.content : []))
    .flatMap((block) => {
      const { type, id, name, input } = block as JsonObject
      const path = (input as JsonObject | undefined)?.file_path
      return type === 'tool_use' && FILE_TOOLS.has(String(name)) && typeof path === 'string'
        ? [{ id: String(id), tool: String(name), path }]
        : []
    })
}

/** Ids of the calls that stand with their results in both lists as they are in the first. */
export function keptExchanges(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): ReadonlySet<string> {
  const [from, to] = [blocksOf(before), blocksOf(after)]
  return new Set(
    [...from].flatMap(([id, blocks]) =>
      isComplete(blocks) && sameBlocks(blocks, to.get(id)) ? [id] : [],
    ),
  )
}

interface ExchangeBlocks {
  call?: string
  result?: string
}

const isComplete = ({ call, result }: ExchangeBlocks): boolean =>
  call !== undefined && result !== undefined

const sameBlocks = (one: ExchangeBlocks, other: ExchangeBlocks | undefined): boolean =>
  one.call === other?.call && one.result === other?.result

function blocksOf(messages: readonly JsonValue[]): Map<string, ExchangeBlocks> {
  const found = new Map<string, ExchangeBlocks>()
  const at = (id: string): ExchangeBlocks => {
    const known = found.get(id) ?? {}
    found.set(id, known)
    return known
  }
  for (const message of messages) {
    const { content } = message as JsonObject
    if (!Array.isArray(content)) continue
    for (const block of content) {
      const { type, id, tool_use_id: callId } = block as JsonObject
      if (type === 'tool_use') at(String(id)).call = JSON.stringify(block)
      if (type === 'tool_result') at(String(callId)).result = JSON.stringify(block)
    }
  }
  return found
}
