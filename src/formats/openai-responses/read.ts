import type { JsonObject, Role, Transcript } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { createEntry, type DraftEntry } from '../draft.ts'
import { flagsOfText } from '../flags.ts'
import { isArray, pointer, textMember } from '../json.ts'
import { countOpaque } from '../media/opaque-tokens.ts'
import {
  countTools,
  type Format,
  type Reading,
  type ReadMessage,
  readConversation,
  readRole,
} from '../reading.ts'
import { createExchanges, type Exchanges } from './exchange-keys.ts'
import { callTypeOfResult, isCompaction, isDirective, isPairedCall, typeOf } from './items.ts'
import { linkItems, startOfPendingTail } from './links.ts'
import { readCall } from './read-calls.ts'
import { readContentParts } from './read-content.ts'
import { compactionPart, providerPart, reasoningPart } from './read-provider-items.ts'
import { readResult } from './read-results.ts'

const ROLES: ReadonlyMap<string, Role> = new Map([
  ['system', 'instructions'],
  ['developer', 'instructions'],
  ['user', 'user'],
  ['assistant', 'assistant'],
])

/**
 * An estimate: OpenAI publishes no rule for this API. The figures are those that it gave for Chat
 * Completions, whose models these are; every item is a message of its own to them.
 */
export const FRAMING = { item: 4, request: 3 } as const

export function readOpenaiResponses(payload: JsonObject, context: ReadContext): Transcript {
  return readConversation(payload, context, createFormat())
}

/** One for each conversation: it remembers which calls it has met. */
function createFormat(): Format {
  const exchanges = createExchanges()
  return {
    id: 'openai-responses',
    list: 'input',
    pointerTo: (entry) => pointer('input', entry),
    readMessage: (input) => readItem(input, exchanges),
    connect: ({ pairing }, entries, payload) => {
      const items = itemsOf(payload, 'input') as readonly JsonObject[]
      const firstPending = startOfPendingTail(entries, items)
      pairing.finish(({ index }) => index >= firstPending || mayWait(items[index] ?? {}))
      linkItems(entries, items, exchanges, firstPending)
    },
    beside: (payload, reading, entryCount) => ({
      instructionsTokens: countInstructions(payload, reading),
      toolsTokens: countTools(payload, 'tools', reading),
      framingTokens: entryCount === 0 ? 0 : FRAMING.request,
    }),
  }
}

/** The conversation may go on before such a call is answered; a program waits for calls of its own. */
function mayWait(item: JsonObject): boolean {
  return item.async === true || item.type === 'program'
}

function readItem(input: ReadMessage, exchanges: Exchanges): DraftEntry | undefined {
  const { message: item, index, reading } = input
  const { type } = item
  if (type !== undefined && type !== null && typeof type !== 'string') {
    reading.faults.add(pointer('input', index, 'type'), 'item-type', 'must be a string')
    return undefined
  }
  const kind = typeOf(item)
  if (kind === '' || kind === 'message') return readMessage(input)
  const entry = createItem(index, roleOf(kind), item, kind)
  if (kind === 'reasoning') entry.parts.push(reasoningPart(item, reading))
  else if (isPairedCall(kind)) readCall(input, kind, entry, exchanges)
  else if (callTypeOfResult(kind) !== undefined) readResult(input, kind, entry, exchanges)
  else if (isCompaction(kind)) {
    exchanges.addHidden()
    entry.flags = { sealed: true }
    entry.parts.push(compactionPart(kind, item))
  } else {
    if (kind === 'item_reference') addReference(index, reading, exchanges)
    linkUnknownCall(item, kind, entry)
    entry.parts.push(providerPart(kind, item, reading))
  }
  return entry
}

function readMessage(input: ReadMessage): DraftEntry | undefined {
  const role = readRole(input, ROLES, 'input')
  const { message, index, reading } = input
  const parts = readContentParts(message.content, pointer('input', index, 'content'), reading)
  if (role === undefined || parts === undefined) return undefined
  const entry = createItem(index, role, message, 'message')
  entry.parts = parts
  entry.flags = flagsOfText(entry)
  return entry
}

function createItem(index: number, role: Role, item: JsonObject, type: string): DraftEntry {
  const entry = createEntry(index, role, FRAMING.item)
  // The result of a local shell call bears the id of its call.
  const id = type === 'local_shell_call_output' ? undefined : textMember(item, 'id')
  if (id !== undefined) entry.id = id
  return entry
}

/** Items that set something speak with the developer's voice: what follows depends on them. */
function roleOf(type: string): Role {
  if (isDirective(type)) return 'instructions'
  return callTypeOfResult(type) === undefined ? 'assistant' : 'tool'
}

function addReference(index: number, { warnings }: Reading, exchanges: Exchanges): void {
  exchanges.addHidden()
  warnings.add(
    'stored-item',
    'what the item refers to is stored at the provider; it is neither seen nor counted',
    pointer('input', index),
  )
}

/** Of calls that nobody here knows it is not known whether they wait for a result. */
function linkUnknownCall(item: JsonObject, type: string, entry: DraftEntry): void {
  const id = textMember(item, 'call_id')
  if (id !== undefined && type.endsWith('_call')) entry.links.push(`other:${type}:${id}`)
}

function countInstructions({ instructions }: JsonObject, reading: Reading): number {
  const { context, faults } = reading
  if (instructions === undefined || instructions === null) return 0
  if (typeof instructions === 'string') return context.countTokens(instructions)
  // A response gives back the list of items that a stored prompt stands for.
  if (isArray(instructions)) return countOpaque(instructions, context)
  faults.add('/instructions', 'instructions-type', 'must be a string')
  return 0
}
