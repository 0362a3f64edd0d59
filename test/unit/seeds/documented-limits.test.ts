import { describe, expect, it } from 'vitest'
import {
  assistant,
  chat,
  compactWith,
  conversation,
  goneIds,
  judge,
  only,
  prose,
  sizeOf,
  textsOf,
  user,
} from './support.ts'

const LOAD_BEARING = 'Remember: the port is 6432.'
/** Nine tenths chatter, one tenth of which everything later depends. */
const MIXED = `${prose(270, 'chatter')} ${LOAD_BEARING} ${prose(30, 'more')}`
const MESSAGES = conversation(user('Set up the pool.'), assistant(MIXED), ...chat(14))

async function run(probability: number, messages = MESSAGES, currentRequest?: string) {
  return compactWith(
    {
      messages,
      targetTokens: (await sizeOf(messages)) - 1,
      options: only('relevance'),
      ...(currentRequest !== undefined && { currentRequest }),
    },
    { decide: judge(0.9, { 1: probability }) },
  )
}

describe('seed 0: what relevance is documented to be bad at', () => {
  it('keeps or drops a mixed message as a whole', async () => {
    expect((await run(0.5)).messages).toBe(MESSAGES)
    const { messages, report } = await run(0.1)
    expect(messages).toEqual(MESSAGES.filter((_, index) => index !== 1))
    expect(report.actions.map(({ index, action }) => [index, action])).toEqual([[1, 'dropped']])
  })

  it('returns every message that it keeps as the very object that was posted', async () => {
    const { messages } = await run(0.1)
    for (const message of messages) expect(MESSAGES).toContain(message)
  })

  it('believes a model that is confident and wrong', async () => {
    const { messages } = await run(0.01, MESSAGES, 'Which port did we agree on?')
    expect(textsOf(messages).join(' ')).not.toContain(LOAD_BEARING)
  })

  it('has the recent messages as the guard against that', async () => {
    const messages = conversation(user('Set up the pool.'), ...chat(14), assistant(LOAD_BEARING))
    const result = await compactWith(
      {
        messages,
        targetTokens: (await sizeOf(messages)) - 1,
        options: { ...only('relevance'), relevance: { maxDropRatio: 1 } },
      },
      { decide: judge(0) },
    )
    expect(textsOf(result.messages)).toContain(LOAD_BEARING)
    expect(goneIds(messages, result)).toHaveLength(9)
  })

  it('does not bring back what a later turn needs after all', async () => {
    const first = await run(0.1, MESSAGES, 'Say hello.')
    const next = conversation(
      ...(first.messages as typeof MESSAGES),
      user('And which port was it?', { id: 'next' }),
    )
    const decide = judge(0.99)
    const second = await compactWith(
      { messages: next, targetTokens: (await sizeOf(next)) - 1, options: only('relevance') },
      { decide },
    )
    expect(second.messages).toBe(next)
    expect(textsOf(second.messages).join(' ')).not.toContain(LOAD_BEARING)
  })

  it('is no standing filter: within the target the most irrelevant history stays', async () => {
    const decide = judge(0)
    const result = await compactWith(
      { messages: MESSAGES, targetTokens: await sizeOf(MESSAGES) },
      { decide },
    )
    expect(result.messages).toBe(MESSAGES)
    expect(decide.requests).toEqual([])
  })
})
