/** W4: theirs cuts inside emoji, in texts for 100 of 190 budgets and in every preview. */
import { afterEach, describe, expect, it } from 'vitest'
import { createRemoteDecider } from '../../../src/decide/decider.ts'
import { systemOneWire } from '../../../src/decide/wires/systemone.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import {
  createSystemOneServer,
  SYSTEM_ONE_KEY,
} from '../../helpers/decide-servers/system-one-server.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import { hasLoneSurrogate } from '../../helpers/lone-surrogate.ts'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  countTokens,
  sizeOf,
  user,
} from '../seeds/support.ts'
import { RESCUE_TEXTS } from './rescue-texts.ts'

const closers: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

const emoji = (characters: number, lead = ''): string =>
  `${lead}${RESCUE_TEXTS.emoji?.(characters - (characters % 2)) ?? ''}`.replace(
    /\p{Surrogate}/gu,
    '',
  )

/** Every string anywhere in a value. */
function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsOf) : []
}

describe('W4: a message that is shortened', () => {
  it('ends in no half of a character in 190 of 190 budgets', async () => {
    const messages = conversation(
      user('Celebrate!'),
      assistant(emoji(3_200)),
      user('More.'),
      assistant('✅'),
    )
    const { report } = await compactWith({ messages, targetTokens: 1_000_000 })
    const step = (report.tokensBefore - report.floor.tokens) / 190
    for (let index = 0; index < 190; index += 1) {
      const targetTokens = Math.floor(report.floor.tokens + index * step)
      const [, shortened] = (await compactWith({ messages, targetTokens })).messages
      expect(hasLoneSurrogate(String((shortened as JsonObject).content))).toBe(false)
    }
  })
})

describe('W4: a preview', () => {
  // One more character in front moves every cut to the other half of a pair.
  it.each(['', 'x'])('of messages, request and summary has whole characters (%j)', async (lead) => {
    const server = await createSystemOneServer({ answer: () => 0.9 })
    const decide = createRemoteDecider({
      wire: systemOneWire,
      url: server.url,
      apiKey: SYSTEM_ONE_KEY,
      model: 'jev-latest',
      countTokens,
      random: () => 0,
    })
    closers.push(server.close, decide.close)
    const messages = conversation(
      user('The task.'),
      user(emoji(5_000, lead)),
      assistant(emoji(30_000, lead)),
      ...chat(8),
      user(emoji(9_000, lead)),
    )
    const summary = `1. Primary Request and Intent: ${emoji(14_000, lead)}`
    const targetTokens = Math.floor((await sizeOf(messages)) * 0.8)
    await compactWith({ messages, targetTokens }, { decide, summarize: fakeSummarizer([summary]) })
    expect(server.requests).toHaveLength(2)
    for (const { json } of server.requests) {
      const texts = stringsOf(json)
      expect(texts.some((text) => text.includes('left out'))).toBe(true)
      expect(texts.filter(hasLoneSurrogate)).toEqual([])
      // Nor has half of one been replaced by a sign for what is lost.
      expect(texts.filter((text) => text.includes('\ufffd'))).toEqual([])
    }
  })
})
