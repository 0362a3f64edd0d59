import { describe, expect, it } from 'vitest'
import { entryTokens, type JsonObject } from '../../../src/engine/transcript.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { compareChange } from '../../../src/formats/change-rule.ts'
import { fakeSummarizer } from '../../helpers/fake-ports.ts'
import { compactWith, only, prose, servicesWith } from '../seeds/support.ts'
import { assistant, compaction, system, text, user } from './anthropic-blocks.ts'
import { plan, read } from './support.ts'

const says = (value: string): JsonObject => ({ type: 'text', text: value })
const tokensOf = (messages: JsonObject[]): number[] =>
  read(anthropicMessages, { messages }).entries.map(entryTokens)

/** Four turns that the API leaves out, a compaction, and a history of its own after it. */
const compacted = (): JsonObject[] => [
  user('The first task.'),
  assistant(says(prose(300, 'before'))),
  user('[3 earlier messages truncated to fit the context window]'),
  assistant(says(prose(300, 'aside')), compaction(prose(60, 'all')), says('Going on.')),
  ...Array.from({ length: 12 }, (_, index) => [
    user(`Question ${index}. ${prose(50, `ask${index}`)}`),
    assistant(says(prose(50, `reply${index}`))),
  ]).flat(),
  user('And now?'),
]

describe('anthropic-messages compaction blocks', () => {
  it('count nothing of what stands before them, which the API leaves out', () => {
    const sealed = { type: 'compaction', content: 'abcde', encrypted_content: 'Q'.repeat(400) }
    expect(
      tokensOf([user('12345'), assistant(says('gone'), sealed, says('on')), user('123')]),
    ).toEqual([0, 4 + 5 + 2, 4 + 3])
  })

  it('count their encrypted text where they have no other', () => {
    const sealed = { type: 'compaction', content: null, encrypted_content: 'Q'.repeat(160) }
    expect(tokensOf([user('12345'), assistant(sealed)])).toEqual([0, 4 + 30])
  })

  it('are nothing to the API where they failed, and to the count', () => {
    const payload = { messages: [user('12345'), assistant(compaction(null), says('on'))] }
    const { entries, warnings } = read(anthropicMessages, payload)
    expect(entries.map(entryTokens)).toEqual([4 + 5, 4 + 2])
    expect(entries.map(({ flags }) => flags)).toEqual([{}, {}])
    expect(warnings).toEqual([])
  })

  it('count from the last of several on', () => {
    expect(
      tokensOf([assistant(compaction('abc')), user('12'), assistant(compaction('ab'))]),
    ).toEqual([0, 0, 4 + 2])
  })

  it('seal themselves and all before them, and tell that it need not be sent', () => {
    const payload = { messages: [user(), system(), assistant(text, compaction('abc')), user()] }
    const { entries, warnings } = read(anthropicMessages, payload)
    expect(entries.map(({ flags }) => flags.sealed === true)).toEqual([true, true, true, false])
    expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'before-compaction /messages/2/content/1',
    ])
    const first = { messages: [assistant(compaction('abc')), user()] }
    expect(read(anthropicMessages, first).warnings).toEqual([])
  })

  it.each(['truncate', 'summarize', 'collapse'] as const)(
    'come through %s with all before them, and nothing is inserted where it is not read',
    async (stage) => {
      const messages = compacted()
      const { report, messages: left } = await compactWith(
        { format: 'anthropic-messages', messages, options: only(stage), targetTokens: 1_100 },
        { summarize: fakeSummarizer(['1. Primary Request and Intent: go on.']) },
      )
      expect(report.stagesUsed).toEqual([stage])
      expect(left.length).toBeLessThan(messages.length)
      expect(left.slice(0, 4)).toEqual(messages.slice(0, 4))
      for (const [index, message] of left.slice(0, 4).entries()) {
        expect(message).toBe(messages[index])
      }
    },
  )

  it('need no compaction of ours while what the API reads fits', async () => {
    const messages = [...compacted().slice(0, 4), user('And now?')]
    const { report } = await compactWith({
      format: 'anthropic-messages',
      messages,
      targetTokens: 400,
    })
    expect(report.outcome).toBe('unchanged')
    expect(report.fits).toBe(true)
    expect(
      servicesWith().counters.forModel('claude').countTokens(prose(300, 'before')),
    ).toBeGreaterThan(300)
  })

  it.each([
    ['that is dropped', plan({ dropped: [1] }), ['compaction-lost /messages/1']],
    ['beside a text that is rewritten', plan({ replaced: { 1: { 1: 'x' } } }), []],
    ['that stays', plan({ dropped: [0] }), []],
  ])('have a rule of change for one %s', (_, change, expected) => {
    const payload = { messages: [user(), assistant(compaction('abc'), text), user()] }
    const edited = anthropicMessages.write(payload, change)
    expect(
      compareChange(anthropicMessages, payload, edited, change).map(
        ({ rule, pointer }) => `${rule} ${pointer}`,
      ),
    ).toEqual(expected)
  })

  it('are found changed by that rule', () => {
    const payload = { messages: [user(), assistant(compaction('abc'), text), user()] }
    const change = plan({ replaced: { 1: { 1: 'x' } } })
    const edited = { messages: [user(), assistant(compaction('abd'), text), user()] }
    const found = compareChange(anthropicMessages, payload, edited, change)
    expect(found.map(({ rule }) => rule)).toContain('compaction-lost')
  })
})
