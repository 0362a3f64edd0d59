import type { Static } from 'typebox'
import type { CompactResponseSchema } from '../../src/contract/compact.ts'
import { findChanges, newFaults } from '../../test/helpers/wire-rules/index.ts'
import type { PostedConversation } from './conversations.ts'

/** The parsed answer of POST /compact to a conversation under `messages`. */
export type CompactAnswer = Static<typeof CompactResponseSchema> & {
  readonly messages: readonly unknown[]
}

/** The default of the option `protectRecent`. */
const TAIL_MESSAGES = 6

/**
 * What an answer breaks of that which holds whatever has failed: valid for its format by rules that
 * were written apart from the service's, within its target, every message either as it was posted or
 * accounted for, pins untouched. Names of rules and numbers of messages, never a text.
 */
export function findLosses(
  { sample: { request }, pin }: PostedConversation,
  answer: CompactAnswer,
): string[] {
  const { format, messages } = request
  const after = { ...request, messages: answer.messages }
  const edited = new Set(
    answer.actions
      .filter(({ action }) => action === 'dropped' || action === 'rewritten')
      .map(({ index }) => index),
  )
  const countOf = (kind: string) => answer.actions.filter(({ action }) => action === kind).length
  const saved = answer.actions.reduce(
    (sum, { tokensBefore, tokensAfter }) => sum + tokensBefore - tokensAfter,
    0,
  )
  return [
    ...newFaults(format, request, after).map(({ rule }) => `breaks ${rule}`),
    ...findChanges(format, request, after).map(({ rule }) => `changes ${rule}`),
    ...pinned(messages, pin)
      .filter((index) => edited.has(index))
      .map((index) => `pinned message ${index} is touched`),
    ...missing(messages, edited, answer.messages).map((index) => `message ${index} is missing`),
    ...(answer.messages.length === messages.length - countOf('dropped') + countOf('inserted')
      ? []
      : ['the number of messages is not accounted for']),
    ...(saved === answer.tokensBefore - answer.tokensAfter ? [] : ['tokens are not accounted for']),
    ...(answer.tokensAfter <= answer.tokensBefore ? [] : ['it has grown']),
    ...(answer.fits ? [] : ['it does not fit']),
    ...answer.warnings.map(({ code }) => `warning ${code}`),
  ]
}

/** Instructions where they are a message, the task, what the caller pins, and the tail with the request. */
function pinned(
  messages: readonly Readonly<Record<string, unknown>>[],
  pin: number,
): readonly number[] {
  const task = messages[0]?.role === 'system' ? 1 : 0
  const tail = Array.from(
    { length: TAIL_MESSAGES },
    (_, index) => messages.length - TAIL_MESSAGES + index,
  )
  return [...new Set([0, task, pin, ...tail])]
}

/** Untouched messages that do not stand in the answer as they were, and in their order. */
function missing(
  messages: readonly unknown[],
  edited: ReadonlySet<number>,
  answered: readonly unknown[],
): number[] {
  const texts = answered.map((message) => JSON.stringify(message))
  const lost: number[] = []
  let next = 0
  for (const [index, message] of messages.entries()) {
    if (edited.has(index)) continue
    const found = texts.indexOf(JSON.stringify(message), next)
    if (found < 0) lost.push(index)
    else next = found + 1
  }
  return lost
}
