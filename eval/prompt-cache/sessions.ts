/** Sessions that post their whole history on every turn. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConversationMembers } from '../../src/conversation/request.ts'
import type { JsonValue } from '../../src/engine/transcript.ts'
import type { FormatId } from '../../src/formats/adapter.ts'
import { readClaudeCodeMessages } from '../lib/claude-code-messages.ts'

export interface CacheSession {
  readonly name: string
  readonly format: FormatId
  /** Without the messages. */
  readonly beside: ConversationMembers
  readonly messages: readonly JsonValue[]
}

const EXAMPLES = new URL('../../examples/', import.meta.url).pathname
const CLAUDE = { model: 'claude-opus-4-6' }

/** The one of the repository that is long enough, written by `scripts/write-example.ts`. */
export function exampleSessions(): CacheSession[] {
  const body = JSON.parse(readFileSync(join(EXAMPLES, 'coding-session.json'), 'utf8'))
  return [
    {
      name: 'example: coding session',
      format: 'openai-chat',
      beside: { model: body.model, tools: body.tools },
      messages: body.messages,
    },
  ]
}

/** The recorded ones, up to their own compaction. */
export function recordedSessions(data: string): CacheSession[] {
  return [1, 2, 3].map((number) => ({
    name: `recorded: Claude Code session ${number}`,
    format: 'anthropic-messages',
    beside: CLAUDE,
    messages: readClaudeCodeMessages(join(data, 'claude-code', `session-${number}.jsonl`)),
  }))
}
