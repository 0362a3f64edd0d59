/**
 * What NeuroLink's tests assert of its effective history. Precis tags nothing and hides nothing: what
 * is gone is gone from the answer, and the caller keeps the original (docs/decisions/0007).
 */
import { describe, expect, it } from 'vitest'
import {
  chat,
  compactWith,
  conversation,
  goneIds,
  judge,
  only,
  sizeOf,
  textsOf,
  user,
} from '../seeds/support.ts'

const SUMMARY = user('[Previous conversation summary]:\n\nAll of it.', {
  condenseId: 'c-1',
  metadata: { isSummary: true },
})
const MARKER = user('[Earlier conversation history was truncated to fit within context limits]', {
  truncationId: 't-1',
  isTruncationMarker: true,
})
const MESSAGES = conversation(
  user('The task.'),
  user('Condensed.', { condenseParent: 'c-1' }),
  SUMMARY,
  user('Truncated.', { truncationParent: 't-1' }),
  MARKER,
  ...chat(20),
)

describe('a history that NeuroLink has tagged', () => {
  it('comes back with its tags, and its hidden messages are neither lost nor judged', async () => {
    const size = await sizeOf(MESSAGES)
    const within = await compactWith({ messages: MESSAGES, targetTokens: size })
    expect(within.messages).toBe(MESSAGES)
    const decide = judge(0)
    const judged = await compactWith(
      { messages: MESSAGES, targetTokens: size - 1, options: only('relevance') },
      { decide },
    )
    expect(judged.messages.slice(0, 5)).toEqual(MESSAGES.slice(0, 5))
  })

  it('keeps its summary through truncation, and its marker becomes one that counts', async () => {
    const targetTokens = Math.floor((await sizeOf(MESSAGES)) * 0.6)
    const result = await compactWith({ messages: MESSAGES, targetTokens })
    expect(result.messages).toContain(MESSAGES[2])
    const markers = textsOf(result.messages).filter((text) => /truncated to fit/.test(String(text)))
    const gone = goneIds(MESSAGES, result).filter((id) => id !== 'm4')
    expect(markers).toEqual([
      `[${gone.length} earlier messages truncated to fit the context window]`,
    ])
  })
})
