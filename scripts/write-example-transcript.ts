/**
 * Writes examples/claude-code-session.jsonl: the session of write-example.ts as Claude Code would have
 * written it down, with what such files have besides messages: one record per content block, parallel
 * calls, progress of hooks, snapshots of files, a subagent, a prompt that was taken back, and a
 * compaction. With `--check` writes nothing and fails if what is there differs.
 *
 *     npx tsx scripts/write-example-transcript.ts [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRecords, idOf, type RecordFactory } from './example-transcript/records.ts'
import { SUMMARY } from './example-transcript/summary.ts'

interface ChatMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly {
    readonly id: string
    readonly function: { readonly name: string; readonly arguments: string }
  }[]
}

/** Message of the chat session before which Claude Code compacted, and one that was asked twice. */
const COMPACTED_BEFORE = 52
const ASKED_AGAIN = 97
/** Message after which a subagent worked. */
const SUBAGENT_AFTER = 69

const MODEL = 'claude-sonnet-4-5'

const file = new URL('../examples/claude-code-session.jsonl', import.meta.url)
const { messages } = JSON.parse(
  readFileSync(new URL('../examples/coding-session.json', import.meta.url), 'utf8'),
) as { messages: readonly ChatMessage[] }

const records = createRecords('2026-03-17T09:12:00.000Z')
const calls = new Map<string, string>()
for (const [index, message] of messages.entries()) {
  if (index === COMPACTED_BEFORE) addCompaction(records)
  if (index === ASKED_AGAIN) addBranch(records)
  addMessage(message, index)
  if (index === SUBAGENT_AFTER) addSubagent(records)
}
const text = `${records
  .lines()
  .map((line) => JSON.stringify(line))
  .join('\n')}\n`

if (!process.argv.includes('--check')) {
  writeFileSync(file, text)
  console.log(
    `claude-code-session.jsonl: ${records.lines().length} lines, ${text.length} characters`,
  )
} else if (readFileSync(file, 'utf8') !== text) {
  console.error(
    'examples/claude-code-session.jsonl differs from what scripts/write-example-transcript.ts writes',
  )
  process.exitCode = 1
}

function addMessage(message: ChatMessage, index: number) {
  // The system prompt is not part of a transcript.
  if (message.role === 'system') return
  if (message.role === 'assistant') addAnswer(message, index)
  else if (message.role === 'tool') addResult(message)
  else {
    records.addLoose(snapshot(index))
    records.add({ type: 'user', message: { role: 'user', content: message.content } })
  }
}

function addAnswer({ content, tool_calls = [] }: ChatMessage, index: number) {
  const blocks = [
    ...(content === null ? [] : [{ type: 'text', text: content }]),
    ...tool_calls.map((call) => ({
      type: 'tool_use',
      id: `toolu_${call.id.slice(5)}`,
      name: call.function.name,
      input: JSON.parse(call.function.arguments),
    })),
  ]
  for (const block of blocks) {
    const uuid = records.add({
      type: 'assistant',
      message: {
        model: MODEL,
        id: `msg_${idOf(`message ${index}`).replaceAll('-', '').slice(0, 24)}`,
        type: 'message',
        role: 'assistant',
        content: [block],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 3, cache_read_input_tokens: 12_000 + index * 150, output_tokens: 1 },
      },
      requestId: `req_${idOf(`request ${index}`).slice(0, 8)}`,
    })
    if ('id' in block) calls.set(String(block.id), uuid)
  }
}

/** A result is a child of the call it answers; of parallel calls only the last is on the chain. */
function addResult({ content, tool_call_id = '' }: ChatMessage) {
  const id = `toolu_${tool_call_id.slice(5)}`
  const call = calls.get(id) ?? null
  records.add({ type: 'progress', data: { type: 'hook_progress', hookEvent: 'PostToolUse' } })
  records.returnTo(call)
  records.add({
    type: 'user',
    message: { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content }] },
    sourceToolAssistantUUID: call,
  })
}

function addCompaction({ add, last, returnTo }: RecordFactory) {
  const logicalParentUuid = last()
  returnTo(null)
  add({
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    logicalParentUuid,
    compactMetadata: { trigger: 'manual', preTokens: 14_210 },
  })
  add({
    type: 'user',
    message: { role: 'user', content: SUMMARY },
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
  })
}

/** What the user asked, and took back by going one prompt up. */
function addBranch({ add, last, returnTo }: RecordFactory) {
  const before = last()
  add({
    type: 'user',
    message: { role: 'user', content: 'Delete the checkout test, it is flaky.' },
  })
  add({
    type: 'assistant',
    message: {
      model: MODEL,
      id: 'msg_taken_back',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'I would rather find out why it is flaky. Shall I?' }],
    },
  })
  returnTo(before)
}

/** Older versions write what a subagent says into the same file. */
function addSubagent({ addAside }: RecordFactory) {
  const agent = { isSidechain: true, agentId: 'a1b2c3d' }
  const question = addAside(null, {
    ...agent,
    type: 'user',
    message: { role: 'user', content: 'List the migrations that touch refunds.' },
  })
  addAside(question, {
    ...agent,
    type: 'assistant',
    message: {
      model: MODEL,
      id: 'msg_subagent',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: '0011_refunds.sql and 0012_refund_reasons.sql.' }],
    },
  })
}

function snapshot(index: number) {
  const messageId = idOf(`snapshot ${index}`)
  return {
    type: 'file-history-snapshot',
    messageId,
    snapshot: { messageId, trackedFileBackups: {} },
    isSnapshotUpdate: false,
  }
}
