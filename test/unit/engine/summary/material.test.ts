import { describe, expect, it } from 'vitest'
import {
  MAX_ROUNDS,
  planRounds,
  renderEntry,
  roundInput,
} from '../../../../src/engine/summary/material.ts'
import type { Entry } from '../../../../src/engine/transcript.ts'
import {
  assistant,
  buildTranscript,
  calling,
  countByLength,
  type EntrySpec,
  ofTokens,
  resultPart,
  returning,
  user,
} from '../../../helpers/transcript-builder.ts'

function entriesOf(specs: readonly EntrySpec[]): readonly Entry[] {
  return buildTranscript(specs).entries
}

function rendered(spec: EntrySpec): string {
  return entriesOf([spec]).map(renderEntry).join('')
}

/** One token a character, as the densest scripts have it. */
const perCharacter = (text: string): number => text.length

describe('renderEntry', () => {
  it('labels a message with its role and its speaker', () => {
    expect(rendered(user('hello'))).toBe('<message role="user">\nhello\n</message>')
    expect(rendered(user('hello', { speaker: 'o"x' }))).toContain('role="user" name="o\\"x"')
  })

  it('shows what was called with which arguments, as text or as a value', () => {
    const call = (toolArguments: string | { path: string }) =>
      rendered(calling([{ callId: 'c1', toolName: 'read_file', toolArguments }]))
    expect(call({ path: 'a.ts' })).toContain('[called read_file with {"path":"a.ts"}]')
    expect(call('{"path":"a.ts"}')).toContain('[called read_file with {"path":"a.ts"}]')
  })

  it('says what it does not know of a call', () => {
    const spec: EntrySpec = {
      role: 'assistant',
      parts: [{ kind: 'tool-call', text: '', callId: 'c1' }],
    }
    expect(rendered(spec)).toContain('[called a tool with no arguments]')
  })

  it('says whether a tool returned or failed', () => {
    expect(rendered(returning('c1', 'out', { toolName: 'grep' }))).toContain('[grep returned]\nout')
    expect(rendered(returning('c1', 'out', { isError: true }))).toContain('[run failed]\nout')
    const nameless: EntrySpec = { role: 'tool', parts: [{ kind: 'tool-result', text: 'out' }] }
    expect(rendered(nameless)).toContain('[tool returned]\nout')
  })

  it('leaves reasoning out and shows media by their label', () => {
    const parts = [
      { kind: 'reasoning', text: 'secret thought' },
      { kind: 'media', text: '[image]' },
    ] as const
    const text = rendered({ role: 'assistant', parts })
    expect(text).not.toContain('secret thought')
    expect(text).toContain('[image]')
  })
})

describe('planRounds', () => {
  it('needs one round where one takes everything, and none for nothing', () => {
    const entries = entriesOf([user('a'), assistant('b')])
    expect(planRounds(entries, 500, countByLength)).toEqual([entries.map(renderEntry).join('\n')])
    expect(planRounds([], 500, countByLength)).toEqual([])
  })

  it('splits between messages, in order, each round within its budget', () => {
    const entries = entriesOf(
      Array.from({ length: 12 }, (_, index) => user(ofTokens(90, `m${index}`))),
    )
    const rounds = planRounds(entries, 500, countByLength)
    expect(rounds.length).toBeGreaterThan(1)
    expect(rounds.join('\n')).toBe(entries.map(renderEntry).join('\n'))
    for (const round of rounds) expect(countByLength(round)).toBeLessThanOrEqual(500)
  })

  it('cuts a message that no round takes, head and tail kept', () => {
    const text = `BEGIN ${ofTokens(3_000, 'middle')} END`
    const rounds = planRounds(entriesOf([user(text), user('after')]), 1_000, countByLength)
    const all = rounds.join('\n')
    expect(all).toContain('BEGIN')
    expect(all).toContain('END')
    expect(all).toMatch(/characters omitted/)
    expect(all).toContain('after')
  })

  it.each([
    ['long messages', 40, 2_000],
    ['many short ones', 4_000, 10],
    ['one huge one', 1, 80_000],
  ])('is bounded in rounds and in tokens for %s', (_, count, tokens) => {
    const entries = entriesOf(
      Array.from({ length: count }, (_, index) => user(ofTokens(tokens, `m${index}`))),
    )
    const rounds = planRounds(entries, 1_000, countByLength)
    expect(rounds.length).toBeLessThanOrEqual(MAX_ROUNDS)
    for (const round of rounds) expect(countByLength(round)).toBeLessThanOrEqual(1_000)
  })

  it.each([
    ['long messages', 40, 4_000],
    ['many short ones', 2_000, 150],
    ['one huge one', 1, 300_000],
  ])('is bounded too where every character is a token: %s', (_, count, length) => {
    const entries = entriesOf(Array.from({ length: count }, () => user('字'.repeat(length))))
    const rounds = planRounds(entries, 1_000, perCharacter)
    expect(rounds.length).toBeLessThanOrEqual(MAX_ROUNDS)
    for (const round of rounds) expect(perCharacter(round)).toBeLessThanOrEqual(1_000)
  })

  it('counts the breaks between messages too', () => {
    const wrapper = renderEntry(entriesOf([user('')])[0] as Entry).length
    const entries = entriesOf(Array.from({ length: 15 }, () => user('x'.repeat(200 - wrapper))))
    const rounds = planRounds(entries, 1_000, perCharacter)
    expect(rounds).toHaveLength(4)
    for (const round of rounds) expect(perCharacter(round)).toBeLessThanOrEqual(1_000)
  })

  it('is bounded where the ends of a message are denser than its middle', () => {
    const count = (text: string) =>
      text.split('字').length - 1 + Math.ceil(text.replaceAll('字', '').length / 4)
    const text = `${'字'.repeat(2_000)}${'a'.repeat(200_000)}${'字'.repeat(2_000)}`
    const rounds = planRounds(entriesOf([user(text)]), 1_000, count)
    for (const round of rounds) expect(count(round)).toBeLessThanOrEqual(1_000)
  })

  it('writes nothing rather than more than a budget that takes no text at all', () => {
    expect(planRounds(entriesOf([user('字'.repeat(400))]), 1, perCharacter)).toEqual([''])
  })

  it('keeps the newest visible where messages at their least still overflow', () => {
    const specs = Array.from({ length: 3_000 }, (_, index) => user(ofTokens(40, `m${index}`)))
    const rounds = planRounds(entriesOf([...specs, user('the very last')]), 600, countByLength)
    expect(rounds.at(-1)).toContain('the very last')
    expect(rounds[0]).toContain('m0 ')
  })

  it('shows several results of one message', () => {
    const spec: EntrySpec = {
      role: 'tool',
      parts: [resultPart('c1', 'one'), resultPart('c2', 'two')],
    }
    expect(planRounds(entriesOf([spec]), 500, countByLength)[0]).toMatch(/one[\s\S]*two/)
  })
})

describe('roundInput', () => {
  it('puts the summary so far before the messages, where there is one', () => {
    expect(roundInput(undefined, 'messages')).toBe('messages')
    expect(roundInput('gist', 'messages')).toBe(
      '<summary-so-far>\ngist\n</summary-so-far>\nmessages',
    )
  })
})
