import type { JsonObject, Role, Transcript } from '../../engine/transcript.ts'
import type { ReadContext } from '../adapter.ts'
import { itemsOf } from '../conversation-list.ts'
import { createEntry, type DraftEntry } from '../draft.ts'
import { flagsOfText } from '../flags.ts'
import { isArray, pointer } from '../json.ts'
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
import { clearInstructions } from './cleared-instructions.ts'
import { sealCompacted } from './compaction.ts'
import { linkTurns, startOfPendingTurn } from './links.ts'
import { warnOfBoundThinking } from './preserved-thinking.ts'
import { pointerTo, readParts } from './read-parts.ts'

/** `system` inside the list is Anthropic's mid-conversation system message. */
const ROLES: ReadonlyMap<string, Role> = new Map([
  ['user', 'user'],
  ['assistant', 'assistant'],
  ['system', 'instructions'],
])

/** An estimate: Anthropic publishes no rule. Its counting endpoint would tell, and is not asked. */
export const FRAMING = { message: 4, request: 3 } as const

/**
 * The system prompt that the API adds as soon as there are tools. The highest figure that Anthropic
 * has published for it ("Tool use", pricing); models differ, and an estimate must not be low.
 */
export const TOOL_USE_PROMPT = 346

const FORMAT: Format = {
  id: 'anthropic-messages',
  list: 'messages',
  pointerTo,
  readMessage,
  connect: (reading, entries, payload) => {
    linkTurns(entries, itemsOf(payload, 'messages'))
    const firstPending = startOfPendingTurn(entries)
    reading.pairing.finish((entry) => entry.index >= firstPending)
    warnOfBoundThinking(payload, entries, reading)
    clearInstructions(payload, entries)
    sealCompacted(payload, entries, reading)
  },
  beside: (payload, reading, entryCount) => {
    const tools = countTools(payload, 'tools', reading)
    return {
      instructionsTokens: countSystem(payload, reading),
      toolsTokens: tools === 0 ? 0 : tools + TOOL_USE_PROMPT,
      framingTokens: entryCount === 0 ? 0 : FRAMING.request,
    }
  },
}

export function readAnthropicMessages(payload: JsonObject, context: ReadContext): Transcript {
  return readConversation(payload, context, FORMAT)
}

function readMessage(input: ReadMessage): DraftEntry | undefined {
  const role = readRole(input, ROLES)
  const { message, index, reading } = input
  const content = readContent(message.content, () => pointer('messages', index, 'content'), reading)
  if (role === undefined || content === undefined) return undefined
  const carriesResults = Array.isArray(content) && content.some(isResult)
  const entry = createEntry(
    index,
    role === 'user' && carriesResults ? 'tool' : role,
    FRAMING.message,
  )
  readParts(input, entry, content)
  entry.flags = flagsOfText(entry)
  return entry
}

function isResult({ type }: Block): boolean {
  return type === 'tool_result'
}

function countSystem({ system }: JsonObject, reading: Reading): number {
  const { context, faults } = reading
  if (system !== undefined && system !== null && typeof system !== 'string' && !isArray(system)) {
    faults.add('/system', 'system-type', 'must be a string or an array of text blocks')
    return 0
  }
  const content = readContent(system, () => '/system', reading)
  if (typeof content === 'string') return context.countTokens(content)
  let tokens = 0
  for (const block of content ?? []) {
    tokens +=
      typeof block.text === 'string' ? context.countTokens(block.text) : countOpaque(block, context)
  }
  return tokens
}
