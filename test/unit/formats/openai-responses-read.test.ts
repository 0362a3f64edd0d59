import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { openaiResponses } from '../../../src/formats/openai-responses/index.ts'
import { base64, pdf, png, wav } from './sample-media.ts'
import { faultsOf, parse, read } from './support.ts'

const transcriptOf = (...input: JsonValue[]) => read(openaiResponses, { input })
const partsOf = (item: JsonValue) => transcriptOf(item).entries[0]?.parts
const message = (content: JsonValue, role = 'user'): JsonObject => ({
  type: 'message',
  role,
  content,
})
const dataUrl = (type: string, bytes: Uint8Array): string => `data:${type};base64,${base64(bytes)}`
const rulesOf = (payload: JsonObject): string[] =>
  faultsOf(openaiResponses, payload).map(({ rule, pointer }) => `${rule} ${pointer}`)

describe('openai-responses reading of messages', () => {
  it.each([
    ['system', 'instructions'],
    ['developer', 'instructions'],
    ['user', 'user'],
    ['assistant', 'assistant'],
  ])('reads role %s as %s, with and without a type', (role, expected) => {
    const { entries } = transcriptOf({ role, content: 'x' }, message('x', role))
    expect(entries.map((entry) => entry.role)).toEqual([expected, expected])
    expect(entries.map(({ parts }) => parts.length)).toEqual([1, 1])
  })

  it('takes an input that is a string for one message of the user', () => {
    const { entries, format } = read(openaiResponses, { input: 'abc' })
    expect(format).toBe('openai-responses')
    expect(entries).toMatchObject([
      { index: 0, role: 'user', parts: [{ kind: 'text', text: 'abc', tokens: 3 }] },
    ])
  })

  it.each<[string, JsonValue, object[]]>([
    ['null', null, []],
    ['an empty string', '', []],
    ['a string', 'abc', [{ kind: 'text', text: 'abc', tokens: 3, rewritable: true }]],
    [
      'texts of both sides',
      [
        { type: 'input_text', text: 'ab' },
        { type: 'output_text', text: 'c', annotations: [], logprobs: [] },
      ],
      [
        { kind: 'text', text: 'ab', tokens: 2, rewritable: true },
        { kind: 'text', text: 'c', tokens: 1, rewritable: true },
      ],
    ],
    [
      'a text that annotations point into',
      [{ type: 'output_text', text: 'abc', annotations: [{ type: 'url_citation' }] }],
      [{ kind: 'text', text: 'abc', tokens: 3, rewritable: false }],
    ],
    [
      'a text with log probabilities',
      [{ type: 'output_text', text: 'abc', annotations: [], logprobs: [{ token: 'abc' }] }],
      [{ kind: 'text', text: 'abc', tokens: 3, rewritable: false }],
    ],
    [
      'a refusal',
      [{ type: 'refusal', refusal: 'no' }],
      [{ kind: 'text', text: 'no', tokens: 2, rewritable: false }],
    ],
    [
      'a summary',
      [{ type: 'summary_text', text: 'so' }],
      [{ kind: 'text', text: 'so', tokens: 2, rewritable: false }],
    ],
    [
      'an unknown part',
      [{ type: 'hologram', x: 1 }],
      [{ kind: 'opaque', text: '[hologram]', tokens: 25, rewritable: false }],
    ],
  ])('reads content of %s', (_, content, expected) => {
    expect(partsOf(message(content))).toEqual(expected)
  })

  it.each<[string, JsonObject, number]>([
    [
      'an image by its size',
      { type: 'input_image', image_url: dataUrl('image/png', png(3, 2)) },
      6000,
    ],
    [
      'an image by its detail',
      { type: 'input_image', image_url: dataUrl('image/png', png(3, 2)), detail: 'low' },
      6001,
    ],
    ['an image behind a file id', { type: 'input_image', file_id: 'f' }, 7_000_000],
    ['an image behind a URL', { type: 'input_image', image_url: 'https://a.b/c' }, 7_000_000],
    [
      'a document by its pages',
      { type: 'input_file', filename: 'a.pdf', file_data: dataUrl('application/pdf', pdf(2)) },
      200_000,
    ],
    ['a document behind a file id', { type: 'input_file', file_id: 'f' }, 9_000_000],
    ['a document behind a URL', { type: 'input_file', file_url: 'https://a.b/c' }, 9_000_000],
    [
      'a picture that came as a file',
      { type: 'input_file', file_data: dataUrl('image/png', png(3, 2)) },
      6000,
    ],
    [
      'speech by its seconds',
      { type: 'input_audio', input_audio: { data: base64(wav(2)), format: 'wav' } },
      20,
    ],
  ])('counts %s', (_, part, tokens) => {
    expect(partsOf(message([part]))).toMatchObject([
      { kind: 'media', text: `[${part.type}]`, tokens, rewritable: false, media: { count: 1 } },
    ])
  })

  it('keeps the ids of items, and of a local shell result none, which bears that of its call', () => {
    const { entries } = transcriptOf(
      { ...message('a'), id: 'msg_1' },
      { type: 'local_shell_call', id: 'lsh_1', call_id: 'c', action: {} },
      { type: 'local_shell_call_output', id: 'lsh_1', output: '{}' },
    )
    expect(entries.map(({ id }) => id)).toEqual(['msg_1', 'lsh_1', undefined])
  })

  it('recognises its own markers and summaries by their whole text', () => {
    const { entries } = transcriptOf(
      message('[3 earlier messages truncated to fit the context window]'),
      message(
        [{ type: 'output_text', text: '[Previous conversation summary]:\n\nx' }],
        'assistant',
      ),
      message('see: [3 earlier messages truncated to fit the context window]'),
    )
    expect(entries.map(({ flags }) => flags)).toEqual([
      { marker: true, markerCount: 3 },
      { summary: true },
      {},
    ])
  })
})

describe('openai-responses tokens beside the parts', () => {
  it('counts instructions, tools, and the frame of each item and of the request', () => {
    const tools = [{ type: 'function', name: 'f' }]
    const { entries, beside } = read(openaiResponses, {
      instructions: 'be brief',
      tools,
      input: [message('a'), { type: 'reasoning', summary: [] }],
    })
    expect(beside).toEqual({
      instructionsTokens: 8,
      toolsTokens: JSON.stringify(tools[0]).length,
      framingTokens: 3,
    })
    expect(entries.map(({ framingTokens }) => framingTokens)).toEqual([4, 4])
    expect(openaiResponses.countInsertion('abc', (text) => text.length)).toBe(7)
  })

  it('counts the items that a stored prompt stands for, pictures as pictures', () => {
    const image = dataUrl('image/png', png(3, 2, 400))
    const { beside } = read(openaiResponses, {
      instructions: [message([{ type: 'input_image', image_url: image }])],
      input: 'a',
    })
    expect(beside.instructionsTokens).toBeGreaterThan(6000)
    expect(beside.instructionsTokens).toBeLessThan(6200)
  })
})

describe('openai-responses faults', () => {
  it.each<[string, JsonObject, string]>([
    ['no input', {}, 'input-array /input'],
    ['an input that is a number', { input: 1 }, 'input-array /input'],
    ['an item that is none', { input: ['a'] }, 'message-object /input/0'],
    ['an item that says nothing of itself', { input: [{}] }, 'role-required /input/0/role'],
    ['an unknown role', { input: [{ role: 'tool', content: '' }] }, 'role-unknown /input/0/role'],
    ['a type that is a number', { input: [{ type: 1 }] }, 'item-type /input/0/type'],
    [
      'content that is an object',
      { input: [{ role: 'user', content: {} }] },
      'content-type /input/0/content',
    ],
    ['a part that is none', { input: [message([1])] }, 'part-object /input/0/content/0'],
    [
      'a text without text',
      { input: [message([{ type: 'input_text' }])] },
      'text-string /input/0/content/0/text',
    ],
    [
      'a call without an id',
      { input: [{ type: 'function_call', name: 'f', arguments: '' }] },
      'call-id /input/0/call_id',
    ],
    [
      'a request for approval without an id',
      { input: [{ type: 'mcp_approval_request', name: 'f' }] },
      'call-id /input/0/id',
    ],
    [
      'a result without an id',
      { input: [{ type: 'custom_tool_call_output', output: '' }] },
      'call-id /input/0/call_id',
    ],
    [
      'an answer to no request',
      { input: [{ type: 'mcp_approval_response', approve: true }] },
      'call-id /input/0/approval_request_id',
    ],
    [
      'output that is an object',
      { input: [{ type: 'function_call_output', call_id: 'a', output: {} }] },
      'content-type /input/0/output',
    ],
    ['tools that are none', { input: [message('a')], tools: {} }, 'tools-array /tools'],
    [
      'instructions of a number',
      { input: 'a', instructions: 1 },
      'instructions-type /instructions',
    ],
  ])('name the place of %s', (_, payload, fault) => {
    expect(rulesOf(payload)).toEqual([fault])
  })

  it('do not stop at the first', () => {
    const payload = parse('{"input":[{"role":"x"},{"type":"shell_call"},7]}')
    expect(rulesOf(payload)).toEqual([
      'role-unknown /input/0/role',
      'call-id /input/1/call_id',
      'message-object /input/2',
    ])
  })
})
