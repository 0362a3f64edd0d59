/** Claude Code session transcripts (JSONL) as Anthropic messages, up to their own compaction. */
import { readFileSync } from 'node:fs'
import type { JsonObject, JsonValue } from '../../src/engine/transcript.ts'

interface Line {
  readonly type?: string
  readonly subtype?: string
  readonly isSidechain?: boolean
  readonly isMeta?: boolean
  readonly message?: { id?: string; role?: string; content?: JsonValue }
}

/**
 * The transcript writes one line per content block: blocks of one assistant message share its id, and
 * results of parallel calls come as user lines in a row. Both are joined, as the API saw them. Stops
 * where the session compacted itself.
 */
export function readClaudeCodeMessages(file: string): JsonObject[] {
  const messages: { id: string | undefined; role: string; content: JsonValue[] }[] = []
  for (const text of readFileSync(file, 'utf8').split('\n')) {
    if (text === '') continue
    const line = JSON.parse(text) as Line
    if (line.subtype === 'compact_boundary') break
    if (line.isSidechain === true || line.message === undefined) continue
    if (line.type !== 'user' && line.type !== 'assistant') continue
    const { id, role = line.type, content = [] } = line.message
    const blocks = toBlocks(content)
    if (blocks.length === 0) continue
    const last = messages[messages.length - 1]
    const continues =
      last !== undefined &&
      last.role === role &&
      (role === 'user' ? isResults(last.content) && isResults(blocks) : last.id === id)
    if (continues) last.content.push(...blocks)
    else messages.push({ id, role, content: [...blocks] })
  }
  return messages.map(({ role, content }) => ({ role, content }))
}

/** The API refuses empty text blocks, so the client cannot have sent those of the transcript. */
function toBlocks(content: JsonValue): JsonValue[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  return Array.isArray(blocks) ? blocks.filter((block) => !isBlankText(block)) : []
}

function isBlankText(block: JsonValue): boolean {
  const { type, text } = block as JsonObject
  return type === 'text' && String(text).trim() === ''
}

function isResults(blocks: readonly JsonValue[]): boolean {
  return blocks.some((block) => (block as JsonObject).type === 'tool_result')
}
