import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { neurolink } from '../../../src/formats/neurolink/index.ts'
import { base64, png } from './sample-media.ts'
import { faultsOf, fixture, parse, read } from './support.ts'

const user = (content = 'u'): JsonObject => ({ id: `u-${content}`, role: 'user', content })
const call = (toolCallId?: string, more: JsonObject = {}): JsonObject => ({
  role: 'tool_call',
  content: '',
  tool: 'f',
  args: { n: 1 },
  ...(toolCallId !== undefined && { toolCallId }),
  ...more,
})
const _result = (toolCallId?: string, content = 'r'): JsonObject => ({
  role: 'tool_result',
  content,
  ...(toolCallId !== undefined && { toolCallId }),
})

describe('neurolink reading', () => {
  it('gives one entry a message with its id, and the role of its kind', () => {
    const { entries } = read(neurolink, fixture('neurolink/payments-session.json'))
    expect(entries.map(({ index, id, role }) => [index, id, role])).toEqual([
      [0, 'm-01', 'instructions'],
      [1, 'm-02', 'user'],
      [2, 'm-03', 'assistant'],
      [3, 'm-04', 'assistant'],
      [4, 'm-05', 'assistant'],
      [5, 'm-06', 'tool'],
      [6, 'm-07', 'tool'],
      [7, 'm-08', 'assistant'],
      [8, 'm-09', 'user'],
    ])
  })

  it('counts the arguments of a call, and its text where it has one', () => {
    const { entries } = read(neurolink, { messages: [call(), call(undefined, { content: 'now' })] })
    const text = 'f({"n":1})'
    expect(entries[0]?.parts).toEqual([
      {
        kind: 'tool-call',
        text,
        tokens: text.length,
        rewritable: false,
        toolName: 'f',
        toolArguments: { n: 1 },
        callId: 'position:0',
      },
    ])
    expect(entries[1]?.parts.map(({ kind, text: shown }) => [kind, shown])).toEqual([
      ['text', 'now'],
      ['tool-call', text],
    ])
  })

  it('counts the content of a result once, its error too, and no body that repeats it', () => {
    const { entries } = read(neurolink, fixture('neurolink/payments-session.json'))
    const content = '{"deploys":[{"id":"d-991","at":"23:41"}]}'
    expect(entries[5]?.parts).toEqual([
      {
        kind: 'tool-result',
        text: content,
        tokens: content.length,
        rewritable: true,
        toolName: 'list_deploys',
        callId: 'tc-deploys',
        isError: false,
      },
    ])
    expect(entries[6]?.parts.map(({ text, isError, callId }) => [text, isError, callId])).toEqual([
      ['', true, 'tc-queue'],
      ['metrics store timed out', true, 'tc-queue'],
    ])
  })

  it.each([
    ['a string', 'out', 'out'],
    ['an object', { rows: 2 }, '{"rows":2}'],
    ['nothing', undefined, ''],
  ])('takes the body for the content where there is no content: %s', (_, body, text) => {
    const message = {
      role: 'tool_result',
      content: null,
      result: { success: true, ...(body !== undefined && { result: body }) },
    }
    expect(
      read(neurolink, { messages: [message] } as JsonObject).entries[0]?.parts[0],
    ).toMatchObject({ text, tokens: text.length })
  })

  it.each([
    ['null', null, []],
    ['an empty string', '', []],
    ['a string', 'abc', [['text', 'abc', 3]]],
    [
      'parts',
      [{ type: 'text', text: 'ab' }, { type: 'novel' }],
      [
        ['text', 'ab', 2],
        ['opaque', '[novel]', 16],
      ],
    ],
    [
      'an image of the AI SDK',
      [{ type: 'image', image: base64(png(20, 10, 900)) }],
      [['media', '[image]', 200_000]],
    ],
    [
      'an image of NeuroLink',
      [{ type: 'image', data: base64(png(20, 10, 900)), mediaType: 'image/png' }],
      [['media', '[image]', 200_000]],
    ],
    [
      'a file that is an image',
      [{ type: 'file', data: base64(png(20, 10, 900)), mediaType: 'image/png' }],
      [['media', '[file]', 200_000]],
    ],
    [
      'a PDF behind a URL',
      [{ type: 'pdf', data: 'https://example.com/a.pdf' }],
      [['media', '[pdf]', 9_000_000]],
    ],
    ['audio without data', [{ type: 'audio' }], [['media', '[audio]', 0]]],
  ])('reads content that is %s', (_, content, expected) => {
    const { entries } = read(neurolink, { messages: [{ role: 'user', content }] } as JsonObject)
    expect(entries[0]?.parts.map(({ kind, text, tokens }) => [kind, text, tokens])).toEqual(
      expected,
    )
  })

  it('frames by the numbers of its own estimator', () => {
    const { entries, beside } = read(neurolink, {
      messages: [user(), user('v')],
      tools: [{ name: 't' }],
    })
    expect(entries.map(({ framingTokens }) => framingTokens)).toEqual([4, 4])
    expect(beside).toEqual({
      instructionsTokens: 0,
      toolsTokens: '{"name":"t"}'.length,
      framingTokens: 24,
    })
    expect(read(neurolink, { messages: [] }).beside.framingTokens).toBe(0)
    expect(neurolink.countInsertion('abc', (text) => text.length)).toBe(7)
  })

  it('reads from its members what a message says about itself', () => {
    const { entries } = read(neurolink, fixture('neurolink/compacted-session.json'))
    expect(entries.map(({ flags }) => flags)).toEqual([
      {},
      { condensed: true },
      { condensed: true },
      { summary: true },
      { marker: true, markerCount: 7 },
      { skill: true },
      {},
      {},
      {},
    ])
    expect(read(neurolink, fixture('neurolink/payments-session.json')).entries[7]?.flags).toEqual({
      events: true,
    })
  })

  it('does not take a text for a summary, nor no events for events', () => {
    const messages = [
      user('[Previous conversation summary]:\n\nx'),
      { ...user(), events: [] },
      { ...user('z'), isTruncationMarker: true },
      { ...user('y'), metadata: { isSummary: 'yes' } },
    ]
    expect(read(neurolink, { messages }).entries.map(({ flags }) => flags)).toEqual([
      {},
      {},
      { marker: true },
      {},
    ])
  })
})

describe('neurolink faults', () => {
  it.each([
    [
      'a role of another format',
      { role: 'tool', content: 'x' },
      '/messages/0/role',
      'role-unknown',
    ],
    [
      'content of a wrong type',
      { role: 'user', content: 1 },
      '/messages/0/content',
      'content-type',
    ],
    [
      'an id of a wrong type',
      { role: 'tool_call', content: '', toolCallId: 4 },
      '/messages/0/toolCallId',
      'call-id',
    ],
    [
      'events of a wrong type',
      { role: 'user', content: 'x', events: {} },
      '/messages/0/events',
      'events-array',
    ],
    [
      'metadata of a wrong type',
      { role: 'user', content: 'x', metadata: [] },
      '/messages/0/metadata',
      'metadata-object',
    ],
  ])('name the place and the rule of %s', (_, message, pointer, rule) => {
    const faults = faultsOf(neurolink, parse(JSON.stringify({ messages: [message] })))
    expect(faults.map((fault) => [fault.pointer, fault.rule])).toEqual([[pointer, rule]])
  })
})
