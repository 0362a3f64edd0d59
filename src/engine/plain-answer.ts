/** Which messages are a plain answer, and which of them answers a question directly. */
import type { Entry } from './transcript.ts'

/**
 * The one message that a group of linked entries is about: itself, with nothing but reasoning
 * beside it. In some formats an answer and the reasoning that led to it are two linked items, in
 * others they are one message; a policy must not tell them apart.
 */
export function spokenEntry(
  members: readonly number[],
  entries: readonly Entry[],
): Entry | undefined {
  let spoken: Entry | undefined
  for (const index of members) {
    const entry = entries[index]
    if (entry === undefined || isReasoning(entry)) continue
    if (spoken !== undefined) return undefined
    spoken = entry
  }
  return spoken
}

/**
 * Whether the group holds the one message of the assistant's that answers the question: right after
 * it, and no more of the assistant's after that.
 */
export function isDirectAnswer(
  question: Entry,
  answer: readonly number[],
  entries: readonly Entry[],
): boolean {
  const last = answer[answer.length - 1] ?? 0
  return (
    question.role === 'user' &&
    answer[0] === question.index + 1 &&
    last - question.index === answer.length &&
    spokenEntry(answer, entries)?.role === 'assistant' &&
    entries[last + 1]?.role !== 'assistant'
  )
}

function isReasoning({ parts }: Entry): boolean {
  return parts.length > 0 && parts.every(({ kind }) => kind === 'reasoning')
}
