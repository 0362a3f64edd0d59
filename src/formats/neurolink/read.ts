import type { JsonObject, Role, Transcript } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { createEntry, type DraftEntry } from '../draft.ts'
import { isArray, isRecord, pointer, textMember } from '../json.ts'
import {
  countTools,
  type Format,
  type Reading,
  type ReadMessage,
  readContent,
  readConversation,
  readRole,
} from '../reading.ts'
import { pairBatches } from './batches.ts'
import { flagsOfMessage } from './flags.ts'
import { readParts } from './read-parts.ts'

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'instructions'],
  ['tool_call', 'assistant'],
  ['tool_result', 'tool'],
])

/** NeuroLink's own estimator: 4 tokens a message, 24 a conversation, none for an empty one. */
export const FRAMING = { message: 4, conversation: 24 } as const

const FORMAT: Format = {
  id: 'neurolink',
  list: 'messages',
  pointerTo: (entry) => pointer('messages', entry),
  readMessage,
  connect: (reading, entries, payload) => {
    pairBatches(itemsOf(payload, 'messages'), entries, reading)
    warnOfDuplicateIds(entries, reading)
  },
  beside: (payload, reading, entryCount) => ({
    instructionsTokens: 0,
    toolsTokens: countTools(payload, 'tools', reading),
    framingTokens: entryCount === 0 ? 0 : FRAMING.conversation,
  }),
}

export function readNeurolink(payload: JsonObject, context: ReadContext): Transcript {
  return readConversation(payload, context, FORMAT)
}

function readMessage(input: ReadMessage): DraftEntry | undefined {
  const role = readRole(input, ROLES)
  const { message, index, reading } = input
  const content = readContent(message.content, () => pointer('messages', index, 'content'), reading)
  if (role === undefined || content === undefined || !hasValidMembers(input)) return undefined
  const entry = createEntry(index, role, FRAMING.message)
  const id = textMember(message, 'id')
  if (id !== undefined) entry.id = id
  readParts(input, entry, content)
  entry.flags = flagsOfMessage(message)
  return entry
}

function hasValidMembers({ message, index, reading: { faults } }: ReadMessage): boolean {
  const before = faults.count()
  const { toolCallId, events } = message
  if (toolCallId !== undefined && toolCallId !== null && typeof toolCallId !== 'string') {
    faults.add(pointer('messages', index, 'toolCallId'), 'call-id', 'must be a string')
  }
  if (events !== undefined && events !== null && !isArray(events)) {
    faults.add(pointer('messages', index, 'events'), 'events-array', 'must be an array')
  }
  if (message.metadata !== undefined && message.metadata !== null && !isRecord(message.metadata)) {
    faults.add(pointer('messages', index, 'metadata'), 'metadata-object', 'must be an object')
  }
  return faults.count() === before
}

/** Summaries, markers and reports refer to messages by their ids. */
function warnOfDuplicateIds(entries: readonly DraftEntry[], { warnings }: Reading): void {
  const seen = new Set<string>()
  for (const { id, index } of entries) {
    if (id === undefined) continue
    if (seen.has(id)) {
      const at = pointer('messages', index, 'id')
      warnings.add('duplicate-message-id', 'an earlier message has the same id', at)
    }
    seen.add(id)
  }
}
