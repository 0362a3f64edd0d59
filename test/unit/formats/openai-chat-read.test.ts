import { describe, expect, it } from 'vitest'
import { openaiChat } from '../../../src/formats/openai-chat/index.ts'
import { base64, pdf, png, wav } from './sample-media.ts'
import { fixture, parse, read } from './support.ts'

const parts = (message: object) => {
  const [entry] = read(openaiChat, parse(JSON.stringify({ messages: [message] }))).entries
  return entry?.parts
}

describe('openai-chat reading', () => {
  it('gives one entry a message, index-aligned, each with the role of its kind', () => {
    const { entries, format } = read(openaiChat, fixture('openai-chat/travel-desk.json'))
    expect(format).toBe('openai-chat')
    expect(entries.map(({ index, role }) => [index, role])).toEqual([
      [0, 'instructions'],
      [1, 'user'],
      [2, 'assistant'],
      [3, 'tool'],
      [4, 'tool'],
      [5, 'assistant'],
      [6, 'user'],
      [7, 'assistant'],
      [8, 'user'],
      [9, 'assistant'],
    ])
  })

  it.each([
    ['system', 'instructions'],
    ['developer', 'instructions'],
    ['user', 'user'],
    ['assistant', 'assistant'],
    ['function', 'tool'],
  ])('reads role %s as %s', (role, expected) => {
    const { entries } = read(openaiChat, { messages: [{ role, name: 'n', content: 'x' }] })
    expect(entries[0]?.role).toBe(expected)
  })

  it.each([
    ['null', { role: 'assistant', content: null }, []],
    ['no content at all', { role: 'assistant' }, []],
    ['an empty string', { role: 'user', content: '' }, []],
    [
      'a string',
      { role: 'user', content: 'abc' },
      [{ kind: 'text', text: 'abc', tokens: 3, rewritable: true }],
    ],
    [
      'a refusal',
      { role: 'assistant', content: null, refusal: 'no' },
      [{ kind: 'text', text: 'no', tokens: 2, rewritable: false }],
    ],
    [
      'parts of text and refusal',
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'a' },
          { type: 'refusal', refusal: 'bc' },
        ],
      },
      [
        { kind: 'text', text: 'a', tokens: 1, rewritable: true },
        { kind: 'text', text: 'bc', tokens: 2, rewritable: false },
      ],
    ],
    [
      'reasoning of other servers, once',
      { role: 'assistant', content: 'x', reasoning: 'why', reasoning_details: [{ text: 'why' }] },
      [
        { kind: 'reasoning', text: 'why', tokens: 3, rewritable: false },
        { kind: 'text', text: 'x', tokens: 1, rewritable: true },
      ],
    ],
    [
      'structured reasoning',
      { role: 'assistant', content: 'x', reasoning_details: [{ t: 1 }] },
      [
        { kind: 'reasoning', text: '[reasoning_details]', tokens: 7, rewritable: false },
        { kind: 'text', text: 'x', tokens: 1, rewritable: true },
      ],
    ],
    [
      'audio that is referred to',
      { role: 'assistant', audio: { id: 'a1' } },
      [{ kind: 'opaque', text: '[audio]', tokens: '{"id":"a1"}'.length, rewritable: false }],
    ],
    [
      'a part of unknown type',
      { role: 'user', content: [{ type: 'hologram', beam: 1 }] },
      [{ kind: 'opaque', text: '[hologram]', tokens: 28, rewritable: false }],
    ],
  ])('reads %s', (_, message, expected) => {
    expect(parts(message)).toEqual(expected)
  })

  it('counts media by what they are, never as base64 text', () => {
    const image = `data:image/png;base64,${base64(png(20, 10, 4000))}`
    const document = `data:application/pdf;base64,${base64(pdf(3, 'counted', 'z'.repeat(9000)))}`
    expect(
      parts({
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: image } },
          { type: 'image_url', image_url: { url: image, detail: 'low' } },
          { type: 'image_url', image_url: 'https://example.com/cat.png' },
          { type: 'input_audio', input_audio: { data: base64(wav(3)), format: 'wav' } },
          { type: 'file', file: { file_data: document, filename: 'a.pdf' } },
          { type: 'file', file: { file_id: 'file-123' } },
        ],
      })?.map(({ kind, text, tokens, rewritable }) => [kind, text, tokens, rewritable]),
    ).toEqual([
      ['media', '[image_url]', 200_000, false],
      ['media', '[image_url]', 200_001, false],
      ['media', '[image_url]', 7_000_000, false],
      ['media', '[input_audio]', 30, false],
      ['media', '[file]', 300_000, false],
      ['media', '[file]', 9_000_000, false],
    ])
  })

  it('reads calls by name and arguments, custom tools too', () => {
    const { entries } = read(openaiChat, fixture('openai-chat/travel-desk.json'))
    const trains = '{"from":"Torino Porta Susa","to":"Lyon Part-Dieu","day":"2026-05-14"}'
    expect(entries[2]?.parts[0]).toEqual({
      kind: 'tool-call',
      text: `find_trains(${trains})`,
      tokens: `find_trains(${trains})`.length,
      rewritable: false,
      toolName: 'find_trains',
      toolArguments: trains,
      callId: 'call_trains_1',
    })
    expect(entries[9]?.parts[1]).toMatchObject({
      kind: 'tool-call',
      toolName: 'notify',
      toolArguments: 'to: marc; train 9240 on 14 May',
      callId: 'call_custom_1',
    })
  })

  it('makes one part of a result, which knows the name of its call', () => {
    const { entries } = read(openaiChat, fixture('openai-chat/travel-desk.json'))
    expect(entries[3]?.parts).toEqual([
      {
        kind: 'tool-result',
        text: 'Second class up to four hours.\nFirst class beyond that.',
        tokens: 'Second class up to four hours.\nFirst class beyond that.'.length,
        rewritable: true,
        callId: 'call_policy_1',
        toolName: 'read_policy',
      },
    ])
  })

  it('frames by the rule of the cookbook: 3, the role, and a name with 1 more', () => {
    const { entries, beside } = read(openaiChat, fixture('openai-chat/travel-desk.json'))
    expect(entries.map(({ framingTokens }) => framingTokens)).toEqual([
      4,
      4 + 1 + 4,
      4,
      4,
      4,
      4,
      4,
      4,
      4,
      4,
    ])
    expect(entries[1]?.speaker).toBe('ines')
    expect(beside.framingTokens).toBe(3)
    expect(openaiChat.countInsertion('abc', (text) => text.length)).toBe(7)
  })

  it('counts tools beside the messages as their JSON text, and functions of the first API', () => {
    const payload = fixture('openai-chat/travel-desk.json')
    const tools = payload.tools as unknown[]
    const expected = tools.reduce<number>((sum, tool) => sum + JSON.stringify(tool).length, 0)
    expect(read(openaiChat, payload).beside).toEqual({
      instructionsTokens: 0,
      toolsTokens: expected,
      framingTokens: 3,
    })
    expect(read(openaiChat, fixture('openai-chat/functions.json')).beside.toolsTokens).toBe(
      '{"name":"weather","parameters":{"type":"object"}}'.length,
    )
  })

  it('counts nothing for an empty conversation', () => {
    expect(read(openaiChat, { messages: [] })).toEqual({
      format: 'openai-chat',
      entries: [],
      beside: { instructionsTokens: 0, toolsTokens: 0, framingTokens: 0 },
      warnings: [],
    })
  })

  it.each([
    [
      'a summary of ours',
      'user',
      '[Previous conversation summary]:\n\nAll said.',
      { summary: true },
    ],
    [
      'a marker of ours',
      'user',
      '[12 earlier messages truncated to fit the context window]',
      { marker: true, markerCount: 12 },
    ],
    [
      'a marker without a count',
      'assistant',
      '[Earlier conversation history was truncated to fit within context limits]',
      { marker: true },
    ],
    [
      'a quoted marker',
      'user',
      'Why "[12 earlier messages truncated to fit the context window]"?',
      {},
    ],
    [
      'a marker in the instructions',
      'system',
      '[12 earlier messages truncated to fit the context window]',
      {},
    ],
    ['a summary header without its body', 'user', '[Previous conversation summary]: x', {}],
  ])('recognises by its text: %s', (_, role, content, flags) => {
    expect(read(openaiChat, { messages: [{ role, content }] }).entries[0]?.flags).toEqual(flags)
  })

  it('recognises a summary of one part only', () => {
    const text = '[Previous conversation summary]:\n\nAll said.'
    const one = { role: 'user', content: [{ type: 'text', text }] }
    const two = {
      role: 'user',
      content: [
        { type: 'text', text },
        { type: 'text', text: 'now go' },
      ],
    }
    const { entries } = read(openaiChat, { messages: [one, two] })
    expect(entries.map(({ flags }) => flags)).toEqual([{ summary: true }, {}])
  })
})
