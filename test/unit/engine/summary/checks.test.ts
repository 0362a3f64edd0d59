import { describe, expect, it } from 'vitest'
import { findSummaryFault, type SummaryCheckInput } from '../../../../src/engine/summary/checks.ts'

function faultOf(over: Partial<SummaryCheckInput>) {
  return findSummaryFault({
    text: '1. Primary Request and Intent: retries',
    toolCalls: false,
    refused: false,
    tokens: 50,
    replacedTokens: 100,
    allowedTokens: 80,
    ...over,
  })
}

describe('findSummaryFault', () => {
  it('finds nothing wrong with a summary that is smaller and fits', () => {
    expect(faultOf({})).toBeUndefined()
    expect(faultOf({ text: 'The user wants retries.', toolCalls: true })).toBeUndefined()
  })

  it('knows nothing at all from nothing but tool calls', () => {
    expect(faultOf({ text: '' })).toBe('empty')
    expect(faultOf({ text: ' \n\t' })).toBe('empty')
    expect(faultOf({ text: '', toolCalls: true })).toBe('tool-call-only')
  })

  it('believes a provider that says the model refused, whatever the text', () => {
    expect(faultOf({ refused: true })).toBe('refusal')
    expect(faultOf({ refused: true, text: '' })).toBe('refusal')
  })

  it.each([
    'I’m sorry, I can’t help with that.',
    "I'm afraid I cannot do that",
    'I am unable to summarise this.',
    'I cannot comply.',
    "I can't see a conversation",
    "We're sorry, something went wrong",
    'Sorry - no.',
    'Unfortunately, the content is blocked.',
    'As an AI, I do not read logs.',
    'Error: model overloaded',
    'Internal error (code 500)',
    'Could you please clarify what you need?',
    'Please provide the conversation.',
  ])('takes “%s” for a refusal', (text) => {
    expect(faultOf({ text })).toBe('refusal')
  })

  it.each([
    ['a sentence about an error', 'The error handler was rewritten.'],
    ['sections', `Sorry state of things.\n1. Primary Request and Intent\nretries`],
    ['a longer text', `Unfortunately named variables were renamed. ${'More of it. '.repeat(60)}`],
    ['a word that only begins like one', 'I cannoned off the wall'],
  ])('takes %s for no refusal', (_, text) => {
    expect(faultOf({ text })).toBeUndefined()
  })

  it.each([
    [99, 100, 1_000, undefined],
    [100, 100, 1_000, 'not-smaller'],
    [101, 100, 1_000, 'not-smaller'],
    [80, 100, 80, undefined],
    [81, 100, 80, 'too-large'],
  ])(
    'of %d tokens for %d, with %d allowed, says %s',
    (tokens, replacedTokens, allowedTokens, fault) => {
      expect(faultOf({ tokens, replacedTokens, allowedTokens })).toBe(fault)
    },
  )

  it('compares with the summary that it would replace', () => {
    const previous =
      '1. Primary Request and Intent: retries\n10. Constraints and Established Rules\nNode 20'
    expect(faultOf({ previous })).toBe('poorer-than-previous')
    expect(faultOf({ previous, text: previous })).toBeUndefined()
  })
})
