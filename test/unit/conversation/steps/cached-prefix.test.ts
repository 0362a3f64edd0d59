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

  it('finds a mark inside of a result, as the APIs of Anthropic and of Responses have it', () => {
    const text = { type: 'text', text: 'a', ...mark }
    const result = { type: 'tool_result', tool_use_id: 'x', content: [text] }
    expect(cachedMessages([plain, blocks(result as never), plain])).toBe(2)
    const part = { type: 'input_text', text: 'a', prompt_cache_breakpoint: { mode: 'explicit' } }
    const output = { type: 'function_call_output', call_id: 'x', output: [part] }
    expect(cachedMessages([plain, output, plain])).toBe(2)
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
    ['a mark in the input of a call', [blocks({ type: 'tool_use', input: mark, content: [mark] })]],
    ['a result that is no list', [{ type: 'function_call_output', output: '[]' }]],
  ])('counts none for %s', (_, items) => {
    expect(cachedMessages(items as never[])).toBe(0)
  })
})
