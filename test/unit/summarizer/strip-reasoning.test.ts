import { describe, expect, it } from 'vitest'
import { stripReasoning } from '../../../src/summarizer/strip-reasoning.ts'

describe('stripReasoning', () => {
  it.each([
    ['a block at the start', '<think>Hm.</think>The summary.'],
    ['a block after white space', '\n <think>\nHm.\n</think>\n\nThe summary.'],
    ['a block of the longer tag', '<thinking>Hm.</thinking>\nThe summary.'],
    ['an empty block', '<think></think>The summary.'],
    ['an end without a start, on its own line', 'Hm, what was it?\n</think>\n\nThe summary.'],
    ['an end without a start, at the very start', '</think>\n\nThe summary.'],
  ])('removes %s', (_, text) => {
    expect(stripReasoning(text)).toBe('The summary.')
  })

  it('leaves nothing of a thought that never ends', () => {
    expect(stripReasoning('<think>I should write the summary of')).toBe('')
  })

  it.each([
    ['no tag at all', '  The summary.\n'],
    ['the tags in its middle', 'The parser cuts <think>x</think> from answers.'],
    ['the closing tag in a line', 'The bug was a stray </think> in the output.'],
    ['a quoted block with both tags', 'The answer was:\n<think>\nx\n</think>\nand it was cut.'],
  ])('keeps a summary with %s as it is', (_, text) => {
    expect(stripReasoning(text)).toBe(text)
  })
})
