import type { JsonObject, Role, Transcript } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { createEntry, type DraftEntry } from '../draft.ts'
import { flagsOfText } from '../flags.ts'
import { isArray, isRecord } from '../json.ts'
import {
  countTools,
  type Format,
  type ReadMessage,
  readConversation,
  readRole,
} from '../reading.ts'
import { type CallBook, createCallBook } from './call-book.ts'
import { linkContents, startOfPendingCalls } from './links.ts'
import { dataOf } from './members.ts'
import { pointerTo, readParts } from './read-parts.ts'
import { countInstruction } from './system-instruction.ts'

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['model', 'assistant'],
  ['function', 'tool'],
])

/**
 * An estimate, since Gemini's own template is not published. Gemma's, which is: two control tokens,
 * the role and two line breaks around a turn; a control token at the beginning, and three more that
 * prime the reply.
 */
export const FRAMING = { message: 5, request: 4 } as const

export function readGemini(payload: JsonObject, context: ReadContext): Transcript {
  return readConversation(payload, context, createFormat())
}

function createFormat(): Format {
  const book = createCallBook()
  return {
    id: 'gemini',
    list: 'contents',
    pointerTo,
    readMessage: (input) => readContentOf(input, book),
    connect: ({ pairing }, entries) => {
      const firstPending = startOfPendingCalls(entries)
      pairing.finish((entry) => entry.index >= firstPending)
      linkContents(entries)
    },
    beside: (payload, reading, entryCount) => ({
      instructionsTokens: countInstruction(payload, reading),
      toolsTokens: countTools(payload, 'tools', reading),
      framingTokens: entryCount === 0 ? 0 : FRAMING.request,
    }),
  }
}

function readContentOf(input: ReadMessage, book: CallBook): DraftEntry | undefined {
  const { message, index } = input
  // The API takes a content without a role for the user's.
  const role = message.role === undefined ? 'user' : readRole(input, ROLES, 'contents')
  if (role === undefined) return undefined
  const carriesResponses = role === 'user' && holdsResponses(message)
  const entry = createEntry(index, carriesResponses ? 'tool' : role, FRAMING.message)
  readParts(input, entry, book)
  entry.flags = flagsOfText(entry)
  return entry
}

function holdsResponses({ parts }: JsonObject): boolean {
  if (!isArray(parts)) return false
  return parts.some((part) => isRecord(part) && dataOf(part)?.kind === 'functionResponse')
}
