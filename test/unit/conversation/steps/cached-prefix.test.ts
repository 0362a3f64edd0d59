import { describe, expect, it } from 'vitest'
import { cachedMessages } from '../../../../src/conversation/steps/cached-prefix.ts'

const mark = { cache_control: { type: 'ephemeral' } }
const plain = { role: 'user', content: 'Hello.' }
const blocks = (...content: object[]) => ({ role: 'user', content: content as never[] })

describe('cachedMessages', () => {
  it('counts all up to the last marked message', () => {
    expect(
      cachedMessages([plain, { ...plain, ...mark }, plain, { ...plain, ...mark }, plain]),
    ).toBe(4)
  })

  it('finds a mark on any block of a message', () => {
    const marked = blocks({ type: 'text', text: 'a', ...mark }, { type: 'text', text: 'b' })
    expect(cachedMessages([plain, marked, plain])).toBe(2)
  })

  it("knows the breakpoint of OpenAI's format", () => {
    const marked = blocks({
      type: 'text',
      text: 'a',
      prompt_cache_breakpoint: { mode: 'explicit' },
    })
    expect(cachedMessages([marked, plain])).toBe(1)
  })

  it.each([
    ['no message', []],
    ['no mark', [plain, blocks({ type: 'text', text: 'a' })]],
    ['a mark that is null', [{ ...plain, cache_control: null }]],
    ['what is no message', ['cache_control', null, 7, [mark]]],
    ['a mark deeper than a block', [blocks({ type: 'tool_use', input: mark })]],
  ])('counts none for %s', (_, items) => {
    expect(cachedMessages(items as never[])).toBe(0)
  })
})
