import { describe, expect, it } from 'vitest'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import {
  chat,
  compactWith,
  conversation,
  idsOf,
  only,
  prose,
  sizeOf,
  stageOf,
  system,
  textsOf,
  toolExchange,
  user,
} from './support.ts'

/** As RubynCode counts: anchors and a marker beside the recent messages. */
const KEEP = 6

async function collapse(messages: JsonObject[], request: Partial<CompactRequest> = {}) {
  const result = await compactWith({
    messages,
    targetTokens: (await sizeOf(messages)) - 1,
    options: only('collapse'),
    ...request,
  })
  return { result, report: stageOf(result, 'collapse') }
}

const markerOf = (count: number) => `[${count} earlier messages snipped for context efficiency]`

describe('seed 3: what ContextCollapse keeps', () => {
  it('is the first message, a counting marker in the place of the middle, and the newest six', async () => {
    const messages = conversation(...chat(30))
    const { result } = await collapse(messages)
    expect(textsOf(result.messages)).toEqual([
      messages[0]?.content,
      markerOf(23),
      ...textsOf(messages.slice(-KEEP)),
    ])
    expect(result.report.fits).toBe(true)
  })

  it('counts in the marker what is gone, however many', async () => {
    for (const size of [9, 10, 50]) {
      const messages = conversation(...chat(size))
      const { result } = await collapse(messages)
      expect(textsOf(result.messages)).toContain(markerOf(size - KEEP - 1))
      expect(result.messages).toHaveLength(KEEP + 2)
    }
  })

  it('is as many recent messages as the caller sets', async () => {
    const messages = conversation(...chat(30))
    const options = { ...only(), collapse: { enabled: true, keepRecent: 3 }, protectRecent: 0 }
    const { result } = await collapse(messages, { options })
    expect(textsOf(result.messages)).toEqual([
      messages[0]?.content,
      markerOf(26),
      ...textsOf(messages.slice(-3)),
    ])
  })

  it('is the first task too, where an injected message stands first', async () => {
    const [first, ...rest] = chat(30)
    const messages = conversation(user('[system] You are signed in.'), first ?? {}, ...rest)
    const { result } = await collapse(messages)
    expect(textsOf(result.messages)).toEqual([
      '[system] You are signed in.',
      messages[1]?.content,
      markerOf(23),
      ...textsOf(messages.slice(-KEEP)),
    ])
  })

  it('is the first user message that no harness has injected, wherever it stands', async () => {
    const injected = [1, 2, 3].map((index) => user(`[system] Notice ${index}. ${prose(30, 'n')}`))
    const task = user('Fix the login.')
    const messages = conversation(...injected, task, ...chat(20))
    const { result } = await collapse(messages)
    expect(idsOf(result.messages).slice(0, 3)).toEqual(['m0', expect.any(String), 'm3'])
  })

  it('is just the first message, where every user message is injected', async () => {
    const messages = conversation(
      ...Array.from({ length: 20 }, (_, index) => user(`[system] ${prose(30, `notice${index}`)}`)),
    )
    const { result } = await collapse(messages)
    expect(textsOf(result.messages)).toEqual([
      messages[0]?.content,
      markerOf(13),
      ...textsOf(messages.slice(-KEEP)),
    ])
  })

  it('includes a task whose text merely mentions the tag', async () => {
    const messages = conversation(user('What does [system] mean here?'), ...chat(20))
    const { result } = await collapse(messages)
    expect(idsOf(result.messages)).toHaveLength(KEEP + 2)
    expect(idsOf(result.messages)[0]).toBe('m0')
  })

  it('is one anchor where the first message is a list of blocks that says the task', async () => {
    const first = { role: 'user', content: [{ type: 'text', text: 'Fix the login.' }] }
    const messages = conversation(first, ...chat(20))
    const { result } = await collapse(messages)
    expect(idsOf(result.messages)).toHaveLength(KEEP + 2)
    expect(result.messages[0]).toBe(messages[0])
  })

  it('is two where the blocks begin as an injected text does', async () => {
    const injected = { role: 'user', content: [{ type: 'text', text: '[system] Signed in.' }] }
    const messages = conversation(injected, ...chat(20))
    const { result } = await collapse(messages)
    expect(idsOf(result.messages)).toHaveLength(KEEP + 3)
    expect(result.messages.slice(0, 2)).toEqual(messages.slice(0, 2))
  })

  it('includes instructions, whatever place they have', async () => {
    const messages = conversation(...chat(12), system('Answer in French.'), ...chat(12))
    const { result } = await collapse(messages)
    expect(textsOf(result.messages)).toContain('Answer in French.')
  })
})

describe('seed 3: when ContextCollapse returns nothing', () => {
  it.each([2, 7, 8])('with no more than the recent ones and two: %i messages', async (size) => {
    const messages = conversation(...chat(size))
    const { result, report } = await collapse(messages)
    expect(report.status).toMatch(/^(no-change|skipped)$/)
    expect(result.messages).toBe(messages)
  })

  it('but with one more it applies', async () => {
    const { report } = await collapse(conversation(...chat(9)))
    expect(report).toMatchObject({ status: 'applied', dropped: 2 })
  })

  /** Ten recent messages, of which the floor holds six. */
  const options = { ...only(), collapse: { enabled: true, keepRecent: 10 } }
  const messages = conversation(...chat(30))

  it('when the result does not fit: nothing of it is applied', async () => {
    const collapsed = (await collapse(messages, { options })).result.report.tokensAfter
    const { result, report } = await collapse(messages, { options, targetTokens: collapsed - 1 })
    expect(report).toMatchObject({ status: 'rejected', reason: 'does-not-fit', dropped: 0 })
    expect(result.messages).toBe(messages)
  })

  it('and not when the result is exactly as large as it may be', async () => {
    const collapsed = (await collapse(messages, { options })).result.report.tokensAfter
    const { result } = await collapse(messages, { options, targetTokens: collapsed })
    expect(result.report).toMatchObject({ fits: true, tokensAfter: collapsed })
    expect(result.messages).toHaveLength(12)
  })
})

describe('seed 3: the place of ContextCollapse', () => {
  const messages = conversation(...chat(40))
  const profile = 'rubyn' as const

  it('is before the summary, which nobody is asked for when it is enough', async () => {
    const summarize = fakeSummarizer(['1. Primary Request and Intent: all of it.'])
    const targetTokens = Math.floor((await sizeOf(messages)) / 2)
    const result = await compactWith({ messages, profile, targetTokens }, { summarize })
    expect(result.report.stagesUsed).toEqual(['collapse'])
    expect(stageOf(result, 'summarize').status).toBe('not-needed')
    expect(summarize.requests).toEqual([])
  })

  it('is given up for the summary when it is not', async () => {
    const long = conversation(...chat(34), ...chat(6, 400))
    const summarize = fakeSummarizer(['1. Primary Request and Intent: all of it.'])
    const targetTokens = (await sizeOf(long.slice(-10))) + 60
    const options = { collapse: { keepRecent: 20 } }
    const result = await compactWith(
      { messages: long, profile, options, targetTokens },
      { summarize },
    )
    expect(stageOf(result, 'collapse').status).toBe('rejected')
    expect(result.report.stagesUsed).toEqual(['summarize'])
    expect(summarize.requests.length).toBeGreaterThan(0)
  })

  it('works on a copy: what was posted is as it was', async () => {
    const posted = JSON.stringify(messages)
    const { result } = await collapse(messages)
    expect(result.messages).not.toBe(messages)
    expect(JSON.stringify(messages)).toBe(posted)
    for (const kept of result.messages.filter((_, index) => index !== 1)) {
      expect(messages).toContain(kept)
    }
  })
})

describe('seed 3: a collapse over tool exchanges', () => {
  it('does not let the recent part open with half of one', async () => {
    const messages = conversation(
      user('Fix the login.'),
      ...chat(20).slice(1),
      ...toolExchange('run', { step: 1 }, prose(20, 'output')),
      ...chat(5),
    )
    const { result } = await collapse(messages)
    // The sixth message from the end is the result; its call comes along.
    expect(idsOf(result.messages).slice(2)).toEqual([
      'm20',
      'm21',
      'm22',
      'm23',
      'm24',
      'm25',
      'm26',
    ])
  })
})
