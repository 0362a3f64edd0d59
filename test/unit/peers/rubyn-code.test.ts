/**
 * What RubynCode's tests assert of MicroCompact and of its manager, in the `rubyn` profile. Those of
 * ContextCollapse are among the seeds' tests.
 */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import { findFaults } from '../../helpers/wire-rules/index.ts'
import {
  chat,
  compactWith,
  conversation,
  only,
  prose,
  rolesOf,
  sizeOf,
  stageOf,
  textsOf,
  user,
} from '../seeds/support.ts'

/** Anthropic messages: a user's task, then one tool exchange after the other. */
function session(outputs: readonly string[], tool = 'read_file'): JsonObject[] {
  return [
    user('Fix the login.'),
    ...outputs.flatMap((content, index): JsonObject[] => [
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: `t${index}`, name: tool, input: {} }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: `t${index}`, content }] },
    ]),
    { role: 'assistant', content: 'Fixed.' },
  ]
}

function resultsOf(messages: readonly unknown[]): unknown[] {
  return messages.flatMap((message) => {
    const { content } = message as JsonObject
    return Array.isArray(content)
      ? content.flatMap((block) => {
          const { type, content: text } = block as JsonObject
          return type === 'tool_result' ? [text] : []
        })
      : []
  })
}

async function micro(messages: JsonObject[], targetTokens = 1, options = {}) {
  const base = { format: 'anthropic-messages', profile: 'rubyn', messages } as const
  const { tokensBefore } = (await compactWith({ ...base, targetTokens: 1e9 })).report
  return compactWith({
    ...base,
    targetTokens: targetTokens > 1 ? targetTokens : Math.floor(tokensBefore * 0.5),
    options: { protectRecent: 0, ...only('prune'), prune: { enabled: true, ...options } },
  })
}

const OUTPUTS = [1, 2, 3, 4, 5, 6].map((step) => prose(120, `output${step}`))

describe('RubynCode asserts of MicroCompact', () => {
  it('that all results but the last two may become a line that names the tool', async () => {
    const messages = session(OUTPUTS)
    const floor = (await micro(messages)).report.floor.tokens
    const result = await micro(messages, floor + 520)
    expect(resultsOf(result.messages)).toEqual([
      ...Array(4).fill('[Tool result cleared: read_file]'),
      ...OUTPUTS.slice(-2),
    ])
    expect(stageOf(result, 'prune')).toMatchObject({ status: 'applied', rewritten: 4 })
  })

  it('that a preserved tool keeps its results', async () => {
    const messages = session(OUTPUTS)
    const result = await micro(messages, 1, { protectedTools: ['read_file'] })
    expect(result.messages).toBe(messages)
  })

  it('that a short result is skipped', async () => {
    const messages = session(['ok', ...OUTPUTS])
    expect(resultsOf((await micro(messages)).messages)[0]).toBe('ok')
  })

  it('and that it changes what it was given, where Precis returns another array', async () => {
    const messages = session(OUTPUTS)
    const posted = JSON.stringify(messages)
    const result = await micro(messages)
    expect(result.messages).not.toBe(messages)
    expect(JSON.stringify(messages)).toBe(posted)
  })
})

describe('RubynCode asserts of its manager', () => {
  const messages = conversation(...chat(60))
  const profile = 'rubyn' as const
  const summary = '1. Primary Request and Intent: all of it.'

  it('that it tries to collapse before it asks for a summary', async () => {
    const summarize = fakeSummarizer([summary])
    const result = await compactWith({ messages, profile, targetTokens: 1_500 }, { summarize })
    expect(result.report.stagesUsed).toEqual(['collapse'])
    expect(summarize.requests).toEqual([])
  })

  it('that nothing happens under the threshold', async () => {
    const targetTokens = await sizeOf(messages)
    const result = await compactWith({ messages, profile, targetTokens })
    expect(result.messages).toBe(messages)
  })

  it('and where it can do nothing without a summariser, truncation still does', async () => {
    const tight = {
      messages,
      profile,
      targetTokens: 1_500,
      options: { collapse: { keepRecent: 50 } },
    }
    const result = await compactWith(tight)
    expect(stageOf(result, 'collapse').status).toBe('rejected')
    expect(result.report).toMatchObject({ stagesUsed: ['truncate'], fits: true })
  })
})

describe('what RubynCode’s ContextCollapse gets wrong', () => {
  it('an orphaned result at the head of the tail: here its call comes along', async () => {
    const exchanges = session(OUTPUTS)
    const messages = [...exchanges, ...chat(4)]
    const base = { format: 'anthropic-messages', messages } as const
    const { tokensBefore } = (await compactWith({ ...base, targetTokens: 1e9 })).report
    const result = await compactWith({
      ...base,
      targetTokens: tokensBefore - 1,
      options: { ...only(), protectRecent: 2, collapse: { enabled: true, keepRecent: 6 } },
    })
    expect(stageOf(result, 'collapse').status).toBe('applied')
    expect(result.messages.slice(-7)).toEqual(messages.slice(-7))
    const payload = { messages: result.messages as JsonObject[] }
    expect(findFaults('anthropic-messages', payload)).toEqual([])
  })

  it('a task within the tail twice, and a wrong count: here it stands once and is not counted', async () => {
    const injected = Array.from({ length: 12 }, (_, index) =>
      user(`[system] Notice. ${prose(40, `notice${index}`)}`),
    )
    const messages = conversation(...injected, user('Fix the login.'), ...chat(4).slice(1))
    const targetTokens = (await sizeOf(messages)) - 1
    const result = await compactWith({
      messages,
      targetTokens,
      options: { ...only(), collapse: { enabled: true, keepRecent: 6 } },
    })
    const texts = textsOf(result.messages)
    expect(texts.filter((text) => text === 'Fix the login.')).toHaveLength(1)
    expect(texts[1]).toBe('[9 earlier messages snipped for context efficiency]')
    expect(messages.length - (result.messages.length - 1)).toBe(9)
  })

  it('two user turns in a row after the anchor: here the marker takes the role that alternates', async () => {
    const messages = conversation(...chat(31))
    const targetTokens = (await sizeOf(messages)) - 1
    const options = { ...only(), protectRecent: 5, collapse: { enabled: true, keepRecent: 5 } }
    const result = await compactWith({ messages, targetTokens, options })
    expect(rolesOf(result.messages)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
    ])
  })

  it('a count that starts again with each collapse: here it adds up', async () => {
    const options = { ...only(), collapse: { enabled: true } }
    let messages = conversation(...chat(30))
    for (const expected of [23, 33, 43]) {
      const targetTokens = (await sizeOf(messages)) - 1
      const result = await compactWith({ messages, targetTokens, options })
      const texts = textsOf(result.messages)
      expect(texts.filter((text) => String(text).includes('snipped'))).toEqual([
        `[${expected} earlier messages snipped for context efficiency]`,
      ])
      const more = chat(10).map((message, index) => ({ ...message, id: `${expected}-${index}` }))
      messages = [...(result.messages as JsonObject[]), ...more]
    }
  })
})
