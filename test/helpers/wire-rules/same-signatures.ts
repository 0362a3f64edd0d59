import { isSignedBlock } from './anthropic-thinking.ts'
import { conversationListOf } from './conversation-list.ts'
import { asArray, asRecord, type JsonRecord } from './json.ts'
import type { WirePayload } from './types.ts'

/**
 * Whether all thinking of an Anthropic conversation came through a change unaltered. The guide
 * "Extended thinking" asks for the whole unmodified sequence of blocks of a turn, signature
 * included, so that within a message it is all or nothing.
 *
 * True iff (1) the signed blocks of each message in `after` are exactly those of a message in
 * `before`, in the order of `before` and none twice; (2) a message that kept one of its tool calls
 * kept its thinking; (3) no message lost its thinking and kept the rest as it was.
 */
export function sameSignatures(before: WirePayload, after: WirePayload): boolean {
  const old = assistantMessages(before)
  const now = assistantMessages(after)
  return (
    isSubsequence(signedOnly(now), signedOnly(old)) && callsKeep(old, now) && noneBare(old, now)
  )
}

interface AssistantMessage {
  /** JSON of the signed blocks, in order; '' where there are none. */
  readonly signed: string
  readonly rest: string
  readonly callIds: readonly unknown[]
}

function assistantMessages(payload: WirePayload): AssistantMessage[] {
  return conversationListOf(payload).flatMap((value) => {
    const message = asRecord(value)
    if (message.role !== 'assistant') return []
    const blocks = asArray(message.content).map(asRecord)
    const signed = blocks.filter(isSignedBlock)
    const rest = blocks.filter((block) => !isSignedBlock(block))
    return [
      {
        signed: signed.length === 0 ? '' : JSON.stringify(signed),
        rest: JSON.stringify(rest.length === 0 ? message.content : rest),
        callIds: rest.filter((block: JsonRecord) => block.type === 'tool_use').map(({ id }) => id),
      },
    ]
  })
}

function signedOnly(messages: readonly AssistantMessage[]): string[] {
  return messages.map(({ signed }) => signed).filter((signed) => signed !== '')
}

function isSubsequence(part: readonly string[], whole: readonly string[]): boolean {
  let matched = 0
  for (const item of whole) if (item === part[matched]) matched += 1
  return matched === part.length
}

function callsKeep(old: readonly AssistantMessage[], now: readonly AssistantMessage[]): boolean {
  const thinkingOf = new Map(
    old.flatMap(({ callIds, signed }) => callIds.map((id) => [id, signed])),
  )
  return now.every(({ callIds, signed }) =>
    callIds.every((id) => !thinkingOf.has(id) || thinkingOf.get(id) === signed),
  )
}

function noneBare(old: readonly AssistantMessage[], now: readonly AssistantMessage[]): boolean {
  const bare = countBare(old)
  const thoughtful = new Set(old.filter(({ signed }) => signed !== '').map(({ rest }) => rest))
  return [...countBare(now)].every(
    ([rest, count]) => !thoughtful.has(rest) || count <= (bare.get(rest) ?? 0),
  )
}

function countBare(messages: readonly AssistantMessage[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { signed, rest } of messages) {
    if (signed === '') counts.set(rest, (counts.get(rest) ?? 0) + 1)
  }
  return counts
}
