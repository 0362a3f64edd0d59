/** Members of messages beside text and calls, as openai-node types them and other servers add them. */
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { openaiChat } from '../../../src/formats/openai-chat/index.ts'
import { base64, wav } from './sample-media.ts'
import { plan, read } from './support.ts'

const parts = (message: JsonObject) => read(openaiChat, { messages: [message] }).entries[0]?.parts
const encrypted = 'Q'.repeat(160)

describe('openai-chat messages', () => {
  it.each([
    [
      'readable details, one summary and one text',
      {
        reasoning_details: [
          { type: 'reasoning.summary', summary: 'abc' },
          { type: 'reasoning.text', text: 'de', signature: encrypted },
        ],
      },
      'abc\nde',
      5,
    ],
    [
      'details that only the provider can read',
      { reasoning_details: [{ type: 'reasoning.encrypted', data: encrypted, id: 'r' }] },
      '[reasoning_details]',
      30,
    ],
    [
      "Anthropic's blocks, as LiteLLM sends them back",
      {
        thinking_blocks: [
          { type: 'thinking', thinking: 'hmm', signature: encrypted },
          { type: 'redacted_thinking', data: encrypted },
        ],
      },
      'hmm',
      3 + 30,
    ],
    ['a text of DeepSeek', { reasoning_content: 'why', thinking_blocks: [] }, 'why', 3],
  ])('count reasoning in %s', (_, members, text, tokens) => {
    expect(parts({ role: 'assistant', content: 'x', ...members } as JsonObject)).toEqual([
      { kind: 'reasoning', text, tokens, rewritable: false },
      { kind: 'text', text: 'x', tokens: 1, rewritable: true },
    ])
  })

  it('count an answer that was spoken by what was said, or by its sound', () => {
    const audio = { id: 'audio_1', expires_at: 1, transcript: 'Good morning' }
    expect(parts({ role: 'assistant', content: null, audio })).toEqual([
      { kind: 'text', text: 'Good morning', tokens: 12, rewritable: false },
    ])
    const data = base64(wav(3))
    expect(parts({ role: 'assistant', content: null, audio: { ...audio, data } })).toEqual([
      { kind: 'text', text: 'Good morning', tokens: 30, rewritable: false },
    ])
    expect(parts({ role: 'assistant', content: null, audio: { id: 'audio_1', data } })).toEqual([
      { kind: 'opaque', text: '[audio]', tokens: 30, rewritable: false },
    ])
  })

  it('are not rewritten where annotations cite by the numbers of characters', () => {
    const annotations = [
      {
        type: 'url_citation',
        url_citation: { start_index: 0, end_index: 2, title: 't', url: 'https://example.com' },
      },
    ]
    const rewritable = (message: JsonObject) => parts(message)?.map((part) => part.rewritable)
    expect(rewritable({ role: 'assistant', content: 'cited', annotations })).toEqual([false])
    expect(
      rewritable({ role: 'assistant', content: [{ type: 'text', text: 'cited' }], annotations }),
    ).toEqual([false])
    expect(rewritable({ role: 'assistant', content: 'plain', annotations: [] })).toEqual([true])
  })

  it('pair a custom tool with its answer, and a function with its answer of nothing', () => {
    const { entries, warnings } = read(openaiChat, {
      messages: [
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'shell', input: 'ls -l' } }],
        },
        { role: 'tool', tool_call_id: 'c', content: 'a.txt' },
        { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } },
        { role: 'function', name: 'f', content: null },
      ],
    })
    expect(entries.map(({ parts: [part] }) => [part?.kind, part?.text, part?.toolName])).toEqual([
      ['tool-call', 'shell(ls -l)', 'shell'],
      ['tool-result', 'a.txt', 'shell'],
      ['tool-call', 'f({})', 'f'],
      ['tool-result', '', 'f'],
    ])
    expect(entries.map(({ links }) => links)).toEqual([
      entries[1]?.links,
      entries[0]?.links,
      entries[3]?.links,
      entries[2]?.links,
    ])
    expect(warnings).toEqual([])
  })

  it('read developer messages as instructions, and count the name of whoever speaks', () => {
    const { entries } = read(openaiChat, {
      messages: [
        { role: 'developer', content: 'be brief', name: 'ops' },
        { role: 'assistant', content: 'yes', name: 'bot' },
      ],
    })
    expect(
      entries.map(({ role, speaker, framingTokens }) => [role, speaker, framingTokens]),
    ).toEqual([
      ['instructions', 'ops', 4 + 1 + 3],
      ['assistant', 'bot', 4 + 1 + 3],
    ])
  })

  it('keep every member that is not read when their text is rewritten', () => {
    const message = {
      role: 'assistant',
      content: 'long',
      name: 'bot',
      refusal: null,
      annotations: [],
      audio: null,
      reasoning_details: [{ type: 'reasoning.encrypted', data: encrypted }],
      tool_calls: [
        {
          id: 'a',
          type: 'function',
          function: { name: 'f', arguments: '{}' },
          extra_content: { google: { thought_signature: encrypted } },
        },
      ],
    }
    const written = openaiChat.write({ messages: [message] }, plan({ replaced: { 0: { 1: 's' } } }))
    expect(JSON.stringify(written)).toBe(
      JSON.stringify({ messages: [message] }).replace('"long"', '"s"'),
    )
  })
})
