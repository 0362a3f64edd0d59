import { describe, expect, it } from 'vitest'
import { type Change, type CountedInsertion, createState } from '../../../src/engine/state.ts'
import {
  assistant,
  buildTranscript,
  exchange,
  FRAMING_TOKENS,
  ofTokens,
  user,
} from '../../helpers/transcript-builder.ts'

const SPECS = [
  user(ofTokens(10, 'a')),
  assistant(ofTokens(20, 'b')),
  ...exchange('c1', ofTokens(30, 'c')),
]

function newState() {
  const beside = { instructionsTokens: 1, toolsTokens: 2, framingTokens: 3 }
  const transcript = buildTranscript(SPECS, { beside })
  return { transcript, state: createState(transcript) }
}

function change(over: Partial<Change>): Change {
  return { drops: new Set(), replacements: new Map(), ...over }
}

function insertion(kind: 'marker' | 'summary', before: number, tokens: number): CountedInsertion {
  return { kind, before, tokens, bytes: 0, role: 'user', text: kind, covers: 1, stage: 'truncate' }
}

const replace = (entry: number, text: string, tokens: number) =>
  new Map([[entry, new Map([[0, { text, tokens, bytesSaved: 0 }]])]])

describe('createState', () => {
  it('starts at all messages with what rides beside them', () => {
    const { state } = newState()
    expect(state.total).toBe(6 + 14 + 24 + (1 + FRAMING_TOKENS) + 34)
    expect(state.plan()).toEqual({ dropped: new Set(), replaced: new Map(), insertions: [] })
  })

  it('says beforehand what a change would come to, and changes nothing by saying it', () => {
    const { state } = newState()
    const before = state.total
    const all = change({
      drops: new Set([1]),
      replacements: replace(3, 'short', 2),
      marker: insertion('marker', 1, 8),
      summary: insertion('summary', 1, 9),
    })
    expect(state.sizeAfter(all).tokens).toBe(before - 24 - 28 + 17)
    expect(state.total).toBe(before)
    state.apply(all)
    expect(state.total).toBe(before - 24 - 28 + 17)
  })

  it('counts a message that is dropped and rewritten in one change as dropped', () => {
    const { state } = newState()
    const before = state.total
    state.apply(change({ drops: new Set([1]), replacements: replace(1, 'x', 1) }))
    expect(state.total).toBe(before - 24)
    expect(state.plan().replaced.size).toBe(0)
  })

  it('takes nothing twice: a dropped message is worth nothing', () => {
    const { state } = newState()
    state.apply(change({ drops: new Set([1]) }))
    const before = state.total
    expect(state.tokensOf(1)).toBe(0)
    expect(state.isAlive(1)).toBe(false)
    expect(
      state.sizeAfter(change({ drops: new Set([1]), replacements: replace(1, 'x', 1) })).tokens,
    ).toBe(before)
  })

  it('measures a second replacement against the first', () => {
    const { state, transcript } = newState()
    const entry = transcript.entries[3]
    if (entry === undefined) throw new Error('no entry was built')
    state.apply(change({ replacements: replace(3, 'middle', 20) }))
    state.apply(change({ replacements: replace(3, 'little', 5) }))
    expect(state.tokensOf(3)).toBe(5 + FRAMING_TOKENS)
    expect(state.partTokens(entry, 0)).toBe(5)
    expect(state.partText(entry, 0)).toBe('little')
    expect(state.plan().replaced).toEqual(new Map([[3, new Map([[0, 'little']])]]))
  })

  it('forgets the replacements of a message that is dropped later', () => {
    const { state } = newState()
    state.apply(change({ replacements: replace(3, 'short', 2) }))
    const before = state.total
    state.apply(change({ drops: new Set([2, 3]) }))
    expect(state.total).toBe(before - (1 + FRAMING_TOKENS) - (2 + FRAMING_TOKENS))
    expect(state.plan()).toMatchObject({ dropped: new Set([2, 3]), replaced: new Map() })
  })

  it('keeps one marker and one summary, and counts only the difference of a newer one', () => {
    const { state } = newState()
    state.apply(
      change({ marker: insertion('marker', 3, 10), summary: insertion('summary', 1, 50) }),
    )
    const before = state.total
    state.apply(
      change({ marker: insertion('marker', 0, 12), summary: insertion('summary', 1, 40) }),
    )
    expect(state.total).toBe(before + 2 - 10)
    expect(state.insertions.map(({ kind, before: at }) => [kind, at])).toEqual([
      ['marker', 0],
      ['summary', 1],
    ])
  })

  it('puts the summary before a marker at the same place', () => {
    const { state } = newState()
    state.apply(change({ marker: insertion('marker', 2, 1), summary: insertion('summary', 2, 1) }))
    expect(state.plan().insertions.map(({ kind }) => kind)).toEqual(['summary', 'marker'])
  })

  it('has texts and tokens of the transcript until something is replaced', () => {
    const { state, transcript } = newState()
    const [entry] = transcript.entries
    if (entry === undefined) throw new Error('no entry was built')
    expect(state.partText(entry, 0)).toBe(entry.parts[0]?.text)
    expect(() => state.partTokens(entry, 4)).toThrow(RangeError)
  })
})
