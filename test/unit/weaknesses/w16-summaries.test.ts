/** W16: theirs takes a refusal, white space or 200 KB for a summary, and sends a summariser everything. */
import { describe, expect, it } from 'vitest'
import { buildTestApp } from '../../helpers/build-app.ts'
import { fakeSummarizer, written } from '../../helpers/fake-ports.ts'
import {
  chat,
  compactWith,
  conversation,
  countTokens,
  only,
  prose,
  sizeOf,
  stageOf,
  textsOf,
  toolExchange,
  user,
} from '../seeds/support.ts'

const MESSAGES = conversation(...chat(60))
const TARGET = Math.floor((await sizeOf(MESSAGES)) * 0.5)

const summarised = (script: Parameters<typeof fakeSummarizer>[0]) =>
  compactWith({ messages: MESSAGES, targetTokens: TARGET }, { summarize: fakeSummarizer(script) })

describe('W16: what is no summary', () => {
  it.each([
    ['a refusal', 'I’m sorry, but I cannot help with that.', 'refusal'],
    ['an apology', 'Unfortunately, I am unable to summarise this conversation.', 'refusal'],
    ['a question', 'Could you please provide the conversation?', 'refusal'],
    ['white space', ' \n\t\n ', 'empty'],
    ['nothing', '', 'empty'],
    ['200 KB', prose(35_000, 'endless'), 'not-smaller'],
    ['more than leaves the target in reach', prose(1_200, 'long'), 'too-large'],
  ])('is refused, and truncation runs: %s', async (_, text, reason) => {
    const result = await summarised([text])
    expect(result.report.summary).toMatchObject({ accepted: false, reason })
    expect(stageOf(result, 'summarize').status).toBe('failed')
    expect(stageOf(result, 'truncate').status).toBe('applied')
    expect(result.report.fits).toBe(true)
    expect(result.report.tokensAfter).toBeLessThan(result.report.tokensBefore)
    expect(textsOf(result.messages).some((content) => String(content).includes('summary'))).toBe(
      false,
    )
  })

  it('is a tool call instead of a text, and a refusal that the provider flags', async () => {
    const called = await summarised([written('', { toolCalls: true })])
    expect(called.report.summary).toMatchObject({ accepted: false, reason: 'tool-call-only' })
    const flagged = await summarised([{ ...written('Nein.'), refused: true } as never])
    expect(flagged.report.summary).toMatchObject({ accepted: false, reason: 'refusal' })
  })

  it('is one that has lost a rule which the summary before it kept', async () => {
    const before =
      '[Previous conversation summary]:\n\n1. Primary Request and Intent: the importer.\n10. Constraints and Established Rules:\n- never touch production'
    const messages = conversation(
      user('The importer.'),
      user(before, { metadata: { isSummary: true } }),
      ...chat(60),
    )
    const script = [
      '1. Primary Request and Intent: the importer.\n10. Constraints and Established Rules: none',
    ]
    const summarize = fakeSummarizer(script)
    const result = await compactWith({ messages, targetTokens: TARGET }, { summarize })
    expect(result.report.summary).toMatchObject({ accepted: false, reason: 'poorer-than-previous' })
    expect(textsOf(result.messages)).toContain(before)
  })
})

describe('W16: what a summariser is sent', () => {
  it('is bounded, however long the conversation', async () => {
    const messages = conversation(...chat(1_200, 250))
    const maxInputTokens = 12_000
    const summarize = fakeSummarizer(['1. Primary Request and Intent: the ledger.'], maxInputTokens)
    const result = await compactWith(
      { messages, targetTokens: 40_000, options: only('summarize') },
      { summarize },
    )
    expect(result.report.tokensBefore).toBeGreaterThan(350_000)
    expect(result.report.summary?.accepted).toBe(true)
    expect(summarize.requests.length).toBeGreaterThan(1)
    expect(summarize.requests.length).toBeLessThanOrEqual(4)
    for (const { instructions, input } of summarize.requests) {
      expect(countTokens(instructions) + countTokens(input)).toBeLessThanOrEqual(maxInputTokens)
    }
  })

  it('has the beginning of the conversation in it', async () => {
    const messages = conversation(user('The task.'), user('Batches of 500.'), ...chat(600, 250))
    const summarize = fakeSummarizer(['1. Primary Request and Intent: the ledger.'], 12_000)
    await compactWith({ messages, targetTokens: 20_000, options: only('summarize') }, { summarize })
    expect(summarize.requests[0]?.input).toContain('Batches of 500.')
  })

  it('shows what the tools were called with', async () => {
    const messages = conversation(
      user('The task.'),
      ...toolExchange('write_file', { path: 'src/importer.ts' }, 'ok'),
      ...chat(40),
    )
    const summarize = fakeSummarizer(['1. Primary Request and Intent: the importer.'])
    await compactWith({ messages, targetTokens: TARGET, options: only('summarize') }, { summarize })
    expect(summarize.requests[0]?.input).toContain('write_file with {"path":"src/importer.ts"}')
  })

  it('has an earlier summary once, and of two both', async () => {
    const summary = (text: string) =>
      user(`[Previous conversation summary]:\n\n${text}`, { metadata: { isSummary: true } })
    const messages = conversation(
      user('The task.'),
      summary('Older: five attempts.'),
      summary('Newer: six attempts.'),
      ...chat(60),
    )
    const summarize = fakeSummarizer(['1. Primary Request and Intent: six attempts.'])
    const result = await compactWith(
      { messages, targetTokens: TARGET, options: only('summarize') },
      { summarize },
    )
    const input = summarize.requests[0]?.input ?? ''
    for (const text of ['Older: five attempts.', 'Newer: six attempts.']) {
      expect(input.split(text)).toHaveLength(2)
    }
    expect(input.indexOf('Older')).toBeLessThan(input.indexOf('Newer'))
    // The new one takes the place of both.
    const summaries = textsOf(result.messages).filter((text) =>
      String(text).startsWith('[Previous'),
    )
    expect(summaries).toHaveLength(1)
  })
})

describe('W16: no summariser', () => {
  it('is no silence: the answer says that the stage was skipped for it', async () => {
    const { app } = await buildTestApp()
    const payload = { messages: MESSAGES, targetTokens: TARGET }
    const body = (await app.inject({ method: 'POST', url: '/compact', payload })).json()
    expect(body.stages).toContainEqual(
      expect.objectContaining({ stage: 'summarize', status: 'skipped', reason: 'no-summarizer' }),
    )
    expect(body.fits).toBe(true)
    await app.close()
  })
})
