import type { JsonObject, Role, Transcript } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { createEntry, type DraftEntry } from '../draft.ts'
import { flagsOfText } from '../flags.ts'
import { textMember } from '../json.ts'
import {
  countTools,
  type Format,
  type ReadMessage,
  readConversation,
  readRole,
} from '../reading.ts'
import { pointerTo, readParts } from './read-parts.ts'

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['system', 'instructions'],
  ['developer', 'instructions'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
  ['function', 'tool'],
])

/**
 * Around each message: 3 tokens, 1 for the role's name, and for a speaker's name its own tokens and
 * 1 more; 3 prime the reply (OpenAI cookbook, "How to count tokens with tiktoken").
 */
export const FRAMING = { message: 4, name: 1, reply: 3 } as const

const FORMAT: Format = {
  id: 'openai-chat',
  list: 'messages',
  pointerTo,
  readMessage,
  connect: ({ pairing }, entries) => {
    const firstPending = startOfPendingTurn(entries)
    pairing.finish((entry) => entry.index >= firstPending)
  },
  beside: (payload, reading, entryCount) => ({
    instructionsTokens: 0,
    toolsTokens: countTools(payload, 'tools', reading) + countTools(payload, 'functions', reading),
    framingTokens: entryCount === 0 ? 0 : FRAMING.reply,
  }),
}

export function readOpenaiChat(payload: JsonObject, context: ReadContext): Transcript {
  return readConversation(payload, context, FORMAT)
}

function readMessage(input: ReadMessage): DraftEntry | undefined {
  const role = readRole(input, ROLES)
  if (role === undefined) return undefined
  const { message, index, reading } = input
  const speaker = textMember(message, 'name')
  const nameTokens = speaker === undefined ? 0 : FRAMING.name + reading.context.countTokens(speaker)
  const entry = createEntry(index, role, FRAMING.message + nameTokens)
  if (speaker !== undefined && role !== 'tool') entry.speaker = speaker
  readParts(input, entry)
  entry.flags = flagsOfText(entry)
  return entry
}

/** The last message, or the assistant message that only tool results follow. */
function startOfPendingTurn(entries: readonly DraftEntry[]): number {
  let index = entries.length - 1
  while (entries[index]?.role === 'tool') index -= 1
  return Math.max(0, index)
}
