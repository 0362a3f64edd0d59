/** W12: theirs sets a user's marker before a user's message, orphans a reply in the next pass, and counts nothing. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import {
  chat,
  compactWith,
  conversation,
  idsOf,
  only,
  rolesOf,
  sizeOf,
  textsOf,
} from '../seeds/support.ts'

const options = only('truncate')

const alternates = (messages: readonly unknown[]): boolean =>
  rolesOf(messages).every((role, index, roles) => index === 0 || role !== roles[index - 1])

const markersOf = (messages: readonly unknown[]): unknown[] =>
  textsOf(messages).filter((text) => String(text).startsWith('['))

describe('W12: turns of a chat that is truncated', () => {
  it('alternate at every target', async () => {
    const messages = conversation(...chat(60))
    const size = await sizeOf(messages)
    for (let targetTokens = 490; targetTokens < size; targetTokens += 60) {
      const result = await compactWith({ messages, targetTokens, options })
      expect(result.report.fits).toBe(true)
      expect(alternates(result.messages)).toBe(true)
    }
  })

  it('alternate too where the chat ends with a question, as long as the recent part keeps its own', async () => {
    const messages = conversation(...chat(61))
    const size = await sizeOf(messages)
    const tight: number[] = []
    for (let targetTokens = 490; targetTokens < size; targetTokens += 20) {
      const result = await compactWith({ messages, targetTokens, options })
      if (alternates(result.messages)) continue
      // The tail opens with a reply whose question had to go: no role alternates in between.
      expect(idsOf(result.messages)[2]).toBe('m55')
      expect(rolesOf(result.messages).slice(0, 3)).toEqual(['user', 'user', 'assistant'])
      tight.push(targetTokens)
    }
    expect(Math.max(...tight)).toBeLessThan(490 + 80)
  })

  it('alternate after a second and a third pass, and no reply loses its question', async () => {
    let messages = conversation(...chat(60))
    for (const targetTokens of [3_000, 2_000, 1_000]) {
      const result = await compactWith({ messages, targetTokens, options })
      messages = result.messages as JsonObject[]
      expect(alternates(messages)).toBe(true)
      for (const [index, { id, role }] of messages.entries()) {
        if (role !== 'assistant' || String(id).startsWith('truncation')) continue
        const number = Number(String(id).slice(1))
        expect(messages[index - 1]?.id).toBe(`m${number - 1}`)
      }
    }
  })
})

describe('W12: the marker', () => {
  it('stands once however often the conversation is compacted, and counts all that is gone', async () => {
    const posted = conversation(...chat(60))
    let messages = posted
    for (const targetTokens of [3_000, 2_000, 1_000]) {
      const result = await compactWith({ messages, targetTokens, options })
      messages = result.messages as JsonObject[]
      const gone = posted.length - (messages.length - 1)
      expect(markersOf(messages)).toEqual([
        `[${gone} earlier messages truncated to fit the context window]`,
      ])
    }
  })
})
