import type { JsonObject, JsonValue, Role, Transcript } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { createEntry, type DraftEntry } from '../draft.ts'
import { flagsOfText } from '../flags.ts'
import { isArray, isRecord, jsonText, pointer } from '../json.ts'
import { countOpaque } from '../media/opaque-tokens.ts'
import {
  type Block,
  countTools,
  type Format,
  type Reading,
  type ReadMessage,
  readContent,
  readConversation,
  readRole,
} from '../reading.ts'
import { isUiMessage, uiMessageFault } from '../ui-message.ts'
import { linkTurns, linkWaiting, startOfTail } from './links.ts'
import { keepProviderResults, linkApprovals, linkCallers, linkReusedIds } from './part-links.ts'
import { isCompaction } from './provider-options.ts'
import { pointerTo, readParts } from './read-parts.ts'

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['system', 'instructions'],
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['tool', 'tool'],
])

/** An estimate: the SDK sends each message in the form of the provider that it talks to. */
export const FRAMING = { message: 4, request: 3 } as const

const FORMAT: Format = {
  id: 'ai-sdk',
  list: 'messages',
  pointerTo,
  readMessage,
  connect: (reading, entries, payload) => {
    const messages = itemsOf(payload, 'messages')
    const firstPending = startOfTail(entries)
    reading.pairing.finish((entry) => entry.index >= firstPending)
    linkTurns(entries)
    linkWaiting(entries)
    linkReusedIds(messages, entries)
    linkCallers(messages, entries)
    linkApprovals(messages, entries, reading)
    keepProviderResults(messages, entries)
  },
  beside: (payload, reading, entryCount) => ({
    instructionsTokens: countSystem(payload, reading),
    toolsTokens: countToolSet(payload, reading),
    framingTokens: entryCount === 0 ? 0 : FRAMING.request,
  }),
}

export function readAiSdk(payload: JsonObject, context: ReadContext): Transcript {
  return readConversation(payload, context, FORMAT)
}

function readMessage(input: ReadMessage): DraftEntry | undefined {
  const { message, index, reading } = input
  if (isUiMessage(message)) {
    const fault = uiMessageFault(index)
    reading.faults.add(fault.pointer, fault.rule, fault.detail)
    return undefined
  }
  const role = readRole(input, ROLES)
  const content = role === undefined ? undefined : contentOf(input, role)
  if (role === undefined || content === undefined) return undefined
  const entry = createEntry(index, role, FRAMING.message)
  readParts(content, entry, reading)
  const isCompacted = typeof content !== 'string' && content.some(isCompaction)
  entry.flags = isCompacted ? { sealed: true } : flagsOfText(entry)
  return entry
}

/** Content of the kind that the role has; undefined after a fault. */
function contentOf(
  { message, index, reading }: ReadMessage,
  role: Role,
): string | readonly Block[] | undefined {
  const at = (): string => pointer('messages', index, 'content')
  const { content } = message
  const mayBeText = role !== 'tool'
  const mayBeParts = role !== 'instructions'
  if ((typeof content === 'string' && mayBeText) || (isArray(content) && mayBeParts)) {
    return readContent(content, at, reading) ?? undefined
  }
  const shapes = [...(mayBeText ? ['a string'] : []), ...(mayBeParts ? ['an array of parts'] : [])]
  reading.faults.add(at(), 'content-type', `must be ${shapes.join(' or ')}`)
  return undefined
}

/** A tool set names its tools by its members. */
function countToolSet(payload: JsonObject, reading: Reading): number {
  const { tools } = payload
  if (isRecord(tools)) return reading.context.countTokens(jsonText(tools))
  return countTools(payload, 'tools', reading)
}

/** `system`, or `instructions` from version 7 on: a string, a system message, or several. */
function countSystem(payload: JsonObject, { context, faults }: Reading): number {
  const member = payload.instructions === undefined ? 'system' : 'instructions'
  const value = payload[member]
  if (value === undefined || value === null) return 0
  if (typeof value === 'string') return context.countTokens(value)
  const messages: readonly JsonValue[] = isArray(value) ? value : [value]
  let tokens = 0
  for (const message of messages) {
    if (!isRecord(message)) {
      faults.add(pointer(member), 'system-type', 'must be a string, or system messages')
      return 0
    }
    const { content, text } = message
    const said = typeof content === 'string' ? content : text
    tokens += typeof said === 'string' ? context.countTokens(said) : countOpaque(message, context)
  }
  return tokens
}
