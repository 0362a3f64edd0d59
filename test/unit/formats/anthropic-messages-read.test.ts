import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { base64, jpeg, pdf } from './sample-media.ts'
import { fixture, read } from './support.ts'

const user = { role: 'user', content: 'hi' }

const parts = (...content: unknown[]) =>
  read(anthropicMessages, { messages: [{ role: 'user', content }] } as JsonObject).entries[0]?.parts

const resultOf = (content: unknown, more: object = {}) =>
  parts({ type: 'tool_result', tool_use_id: 'a', content, ...more })?.[0]

describe('anthropic-messages reading', () => {
  it('gives one entry a message, a user message with results being the tool', () => {
    const { entries } = read(anthropicMessages, fixture('anthropic-messages/code-review.json'))
    expect(entries.map(({ index, role }) => [index, role])).toEqual([
      [0, 'user'],
      [1, 'assistant'],
      [2, 'tool'],
      [3, 'assistant'],
      [4, 'user'],
      [5, 'assistant'],
    ])
  })

  it('gives one part a block, in the order of the blocks', () => {
    const { entries } = read(anthropicMessages, fixture('anthropic-messages/code-review.json'))
    const kinds = entries.map(({ parts }) =>
      parts.map(({ kind, rewritable }) => `${kind}${rewritable ? '' : '!'}`),
    )
    expect(kinds).toEqual([
      ['text'],
      ['reasoning!', 'text', 'tool-call!', 'tool-call!', 'tool-call!'],
      ['tool-result', 'tool-result', 'tool-result', 'text'],
      ['reasoning!', 'text!'],
      ['media!', 'text'],
      ['text'],
    ])
  })

  it('reads a call with its arguments as the payload holds them', () => {
    const payload = fixture('anthropic-messages/code-review.json')
    const part = read(anthropicMessages, payload).entries[1]?.parts[2]
    const input = '{"path":"src/cart.ts","__proto__":{"polluted":true}}'
    expect(part).toMatchObject({
      text: `read_file(${input})`,
      tokens: `read_file(${input})`.length,
      toolName: 'read_file',
      callId: 'toolu_01ReadCart',
    })
    const [, assistant] = payload.messages as { content: { input: unknown }[] }[]
    expect(part?.toolArguments).toBe(assistant?.content[2]?.input)
  })

  it('marks a result that says it failed, and names its tool', () => {
    const { entries } = read(anthropicMessages, fixture('anthropic-messages/code-review.json'))
    expect(entries[2]?.parts[2]).toMatchObject({
      kind: 'tool-result',
      text: 'ENOENT: no such file src/tax.ts',
      isError: true,
      toolName: 'read_file',
      callId: 'toolu_01ReadTax',
    })
    expect(entries[2]?.parts[1]).toMatchObject({ isError: false })
  })

  it.each([
    ['a string', 'abc', 'abc', 3, true],
    ['nothing', undefined, '', 0, true],
    ['null', null, '', 0, true],
    [
      'texts',
      [
        { type: 'text', text: 'ab' },
        { type: 'text', text: 'cd' },
      ],
      'ab\ncd',
      5,
      true,
    ],
    [
      'an unknown block',
      [
        { type: 'text', text: 'ab' },
        { type: 'novel', x: 1 },
      ],
      /^ab\n\[novel [0-9a-f]{12}\]$/,
      24,
      false,
    ],
    [
      'a search result, which may be cleared',
      [{ type: 'search_result', x: 1 }],
      /^\[search_result [0-9a-f]{12}\]$/,
      30,
      true,
    ],
  ])('makes one part of a result whose content is %s', (_, content, text, tokens, rewritable) => {
    const part = resultOf(content)
    expect(part).toMatchObject({ kind: 'tool-result', tokens, rewritable, callId: 'a' })
    expect(part?.text).toMatch(text)
  })

  it('counts the images of a result to it, and tells two images apart', () => {
    const image = (width: number) => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/jpeg', data: base64(jpeg(width, 10, 3000)) },
    })
    const first = resultOf([{ type: 'text', text: 'shot' }, image(20)])
    const second = resultOf([{ type: 'text', text: 'shot' }, image(21)])
    expect(first).toMatchObject({ tokens: 4 + 200_000, rewritable: true })
    expect(first?.text).toMatch(/^shot\n\[image [0-9a-f]{12}\]$/)
    expect(second?.text).not.toBe(first?.text)
    expect(resultOf([image(20), { type: 'novel', x: 1 }])).toMatchObject({
      tokens: 200_000 + 22,
      rewritable: false,
    })
    const files = ['f1', 'f2'].map((file_id) =>
      resultOf([{ type: 'image', source: { type: 'file', file_id } }]),
    )
    expect(files[0]?.text).not.toBe(files[1]?.text)
  })

  it('counts images and documents by what they are', () => {
    const data = base64(pdf(4, 'counted', 'q'.repeat(5000)))
    const counted = parts(
      {
        type: 'image',
        source: { type: 'base64', media_type: 'image/jpeg', data: base64(jpeg(20, 10, 3000)) },
      },
      { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
      {
        type: 'document',
        source: { type: 'base64', media_type: 'application/pdf', data },
        title: 'Rules',
      },
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'plain text' } },
      { type: 'document', source: { type: 'content', content: 'as a string' } },
      { type: 'document', source: { type: 'content', content: [{ type: 'text', text: 'x' }] } },
      { type: 'document', source: { type: 'file', file_id: 'file_1' } },
    )
    expect(counted?.map(({ kind, text, tokens }) => [kind, text, tokens])).toEqual([
      ['media', '[image]', 200_000],
      ['media', '[image]', 7_000_000],
      ['media', '[document]', 400_005],
      ['media', '[document]', 10],
      ['media', '[document]', 11],
      ['media', '[document]', 28],
      ['media', '[document]', 9_000_000],
    ])
  })

  it.each([
    [
      'thinking with its text',
      { type: 'thinking', thinking: 'hmm', signature: 'A'.repeat(800) },
      'hmm',
      3,
    ],
    [
      'thinking whose text was left out',
      { type: 'thinking', thinking: '', signature: 'A'.repeat(800) },
      '[thinking]',
      150,
    ],
    [
      'redacted thinking',
      { type: 'redacted_thinking', data: 'A'.repeat(160) },
      '[redacted_thinking]',
      30,
    ],
  ])('reads %s, never rewritable', (_, block, text, tokens) => {
    const { entries } = read(anthropicMessages, {
      messages: [{ role: 'assistant', content: [block] }],
    } as JsonObject)
    expect(entries[0]?.parts).toEqual([{ kind: 'reasoning', text, tokens, rewritable: false }])
  })

  it('keeps unknown blocks and server tools opaque', () => {
    expect(parts({ type: 'novel', x: 1 })).toEqual([
      {
        kind: 'opaque',
        text: '[novel]',
        tokens: '{"type":"novel","x":1}'.length,
        rewritable: false,
      },
    ])
    const { entries } = read(anthropicMessages, fixture('anthropic-messages/server-tools.json'))
    expect(entries[1]?.parts.map(({ kind, text }) => [kind, text])).toEqual([
      ['opaque', '[server_tool_use] web_search({"query":"leak fixed release"})'],
      ['opaque', '[web_search_tool_result] Release notes\nhttps://project.example/notes'],
      ['text', 'Release 4.2 did.'],
    ])
  })

  it('reads a system message between the turns as instructions', () => {
    const { entries } = read(anthropicMessages, {
      messages: [user, { role: 'system', content: 'be brief' }],
    })
    expect(entries[1]).toMatchObject({
      role: 'instructions',
      parts: [{ kind: 'text', text: 'be brief' }],
    })
  })

  it.each([
    ['a string', 'be kind', 7],
    [
      'blocks',
      [
        { type: 'text', text: 'be' },
        { type: 'text', text: 'kind', cache_control: { type: 'ephemeral' } },
      ],
      6,
    ],
    ['nothing', undefined, 0],
    ['null', null, 0],
  ])('counts a system prompt that is %s beside the messages', (_, system, tokens) => {
    expect(
      read(anthropicMessages, {
        messages: [user],
        ...(system !== undefined && { system }),
      } as JsonObject).beside,
    ).toEqual({ instructionsTokens: tokens, toolsTokens: 0, framingTokens: 3 })
  })

  it('counts tools as their JSON text and the prompt that the API adds for them', () => {
    const tool = { name: 't', input_schema: { type: 'object' } }
    expect(read(anthropicMessages, { messages: [user], tools: [tool] }).beside.toolsTokens).toBe(
      JSON.stringify(tool).length + 346,
    )
    expect(read(anthropicMessages, { messages: [user], tools: [] }).beside.toolsTokens).toBe(0)
    expect(read(anthropicMessages, { messages: [user] }).entries[0]?.framingTokens).toBe(4)
    expect(anthropicMessages.countInsertion('abc', (text) => text.length)).toBe(7)
  })

  it('recognises its own summary and marker by their texts', () => {
    const texts = [
      '[Previous conversation summary]:\n\nDone.',
      '[3 earlier messages truncated to fit the context window]',
      'other',
    ]
    const messages = texts.flatMap((text) => [
      { role: 'user', content: text },
      { role: 'user', content: [{ type: 'text', text }] },
    ])
    const { entries } = read(anthropicMessages, { messages })
    expect(entries.map(({ flags }) => flags)).toEqual([
      { summary: true },
      { summary: true },
      { marker: true, markerCount: 3 },
      { marker: true, markerCount: 3 },
      {},
      {},
    ])
  })
})
