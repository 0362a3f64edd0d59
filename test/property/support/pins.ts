import type { WireFormat } from '../../helpers/wire-rules/index.ts'
import { asArray, asRecord, isBlank } from '../../helpers/wire-rules/json.ts'
import { type CompactionCase, protectRecentOf } from './compaction-case.ts'
import { pinnedIndexes } from './run-case.ts'

/**
 * What must survive a run, read off the wire by eye and not by an adapter, so that a mistake in how
 * the engine sees a conversation cannot hide what it removes.
 */
export interface Pins {
  /** Come back as they are. */
  readonly identical: ReadonlySet<number>
  /** Come back as they are but for tool results, which may be shortened. */
  readonly spoken: ReadonlySet<number>
  /** Come back, whatever is left of their text. */
  readonly present: ReadonlySet<number>
  /** Come back as they are, unless a newer summary carries them forward. */
  readonly summaries: ReadonlySet<number>
}

export function pinsOf(sketch: CompactionCase): Pins {
  const { format, payload } = sketch
  const messages = payload.messages.map((message) => view(format, message))
  const markers = new Set(indexesOf(messages, ({ isMarker }) => isMarker))
  const isConversation = (_: View, index: number) => !markers.has(index)
  const talk = indexesOf(messages, ({ speaks }) => speaks)
  const counted = indexesOf(messages, isConversation)
  const recent = counted.slice(Math.max(0, counted.length - protectRecentOf(sketch)))
  const pinned = pinnedIndexes(sketch).filter((index) => !markers.has(index))
  return {
    identical: new Set([
      ...pinned,
      ...indexesOf(messages, ({ role, isSkill }) => role === 'instructions' || isSkill),
      ...recent.filter((index) => messages[index]?.role === 'user' && !messages[index].isSummary),
      ...pendingMessages(format, payload.messages),
    ]),
    spoken: new Set([...talk.slice(0, 1), ...talk.slice(-1)]),
    present: new Set(recent.filter((index) => messages[index]?.isSummary === false)),
    summaries: new Set(
      indexesOf(messages, ({ isSummary }) => isSummary).filter((index) => !pinned.includes(index)),
    ),
  }
}

interface View {
  /** `other` for what an assistant or a tool says. */
  readonly role: 'instructions' | 'user' | 'other'
  /** The user says something here, whatever results ride along. */
  readonly speaks: boolean
  readonly isSummary: boolean
  readonly isSkill: boolean
  readonly isMarker: boolean
}

const MARKER =
  /^\[(?:(\d+) earlier messages? (?:truncated|snipped) [a-z ]+|Earlier conversation history was truncated [a-z ]+)\]$/

/** The number that a marker tells, 0 where it tells none; undefined for any other message. */
export function markerCount(format: WireFormat, message: unknown): number | undefined {
  if (!view(format, message).isMarker) return undefined
  return Number(MARKER.exec(String(asRecord(message).content))?.[1] ?? 0)
}

function view(format: WireFormat, message: unknown): View {
  const { role, content, metadata, isTruncationMarker } = asRecord(message)
  const blocks = asArray(content).map(asRecord)
  const text = typeof content === 'string' ? content : ''
  const says = format === 'neurolink' ? asRecord(metadata) : undefined
  const isMarker = says ? isTruncationMarker === true : MARKER.test(text)
  const isSummary = says
    ? says.isSummary === true
    : text.startsWith('[Previous conversation summary]')
  const isSkill = says?.isSkill === true
  const carriesResults = blocks.some(({ type }) => type === 'tool_result')
  const words = blocks.some(({ type, text: block }) => type === 'text' && !isBlank(block))
  const things = blocks.some(({ type }) => type !== 'text' && type !== 'tool_result')
  const saysSomething = !isBlank(content) || words || (things && !carriesResults)
  return {
    role:
      role === 'system' || role === 'developer'
        ? 'instructions'
        : role === 'user' && !carriesResults
          ? 'user'
          : 'other',
    speaks: role === 'user' && saysSomething && !isMarker && !isSummary && !isSkill,
    isSummary,
    isSkill,
    isMarker,
  }
}

/** Messages at the end with a call that has no result yet. In a valid conversation there are no others. */
function pendingMessages(format: WireFormat, messages: readonly unknown[]): number[] {
  return format === 'neurolink' ? pendingCalls(messages) : pendingAsker(messages)
}

/** The last message of the assistant, if it asks for more than what comes after it. */
function pendingAsker(messages: readonly unknown[]): number[] {
  const last = messages.findLastIndex((message) => asRecord(message).role === 'assistant')
  if (last < 0) return []
  const { tool_calls: calls, function_call: call, content } = asRecord(messages[last])
  const uses = asArray(content).filter((block) => asRecord(block).type === 'tool_use').length
  const asked = asArray(calls).length + uses + (call === undefined || call === null ? 0 : 1)
  const results = messages.slice(last + 1).reduce((sum: number, message) => {
    const { role, content: blocks } = asRecord(message)
    if (role === 'tool' || role === 'function') return sum + 1
    return sum + asArray(blocks).filter((block) => asRecord(block).type === 'tool_result').length
  }, 0)
  return asked > results ? [last] : []
}

/** Calls of the batch that ends the conversation: by id where each has one, else by position. */
function pendingCalls(messages: readonly unknown[]): number[] {
  const roleAt = (index: number) => asRecord(messages[index]).role
  const idAt = (index: number) => asRecord(messages[index]).toolCallId
  let results = messages.length
  while (results > 0 && roleAt(results - 1) === 'tool_result') results -= 1
  let start = results
  while (start > 0 && roleAt(start - 1) === 'tool_call') start -= 1
  const calls = range(start, results)
  const answers = range(results, messages.length)
  const answered = new Set(answers.map(idAt))
  const byId = [...calls, ...answers].every((index) => typeof idAt(index) === 'string')
  return calls.filter((index, position) =>
    byId ? !answered.has(idAt(index)) : position >= answers.length,
  )
}

function range(start: number, end: number): number[] {
  return Array.from({ length: end - start }, (_, offset) => start + offset)
}

function indexesOf(
  messages: readonly View[],
  matches: (message: View, index: number) => boolean,
): number[] {
  return messages.flatMap((message, index) => (matches(message, index) ? [index] : []))
}
