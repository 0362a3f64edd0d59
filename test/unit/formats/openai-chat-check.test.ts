import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { OPENAI_CHAT_RULES } from '../../../src/formats/openai-chat/check.ts'
import { openaiChat } from '../../../src/formats/openai-chat/index.ts'
import { fixture, rulesAt } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const calls = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
const result = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: '' })

/** One conversation a rule, which no other rule finds fault with. */
const BROKEN: Record<string, [messages: unknown[] | undefined, pointer: string]> = {
  structure: [[user, 7], '/messages/1'],
  'known-role': [[user, { role: 'robot', content: 'x' }], '/messages/1/role'],
  'empty-content': [[user, { role: 'assistant', content: null }], '/messages/1'],
  'part-role': [
    [
      user,
      calls('a'),
      {
        ...result('a'),
        content: [
          { type: 'text', text: 'shot' },
          { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        ],
      },
    ],
    '/messages/2/content/1',
  ],
  'speaker-name': [[{ ...user, name: 'Ines Rey' }], '/messages/0/name'],
  'tool-name': [
    [
      user,
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'mcp.look', arguments: '' } }],
      },
    ],
    '/messages/1/tool_calls/0/function/name',
  ],
  'empty-tool-calls': [
    [user, { role: 'assistant', content: 'x', tool_calls: [] }],
    '/messages/1/tool_calls',
  ],
  'call-without-result': [[user, calls('a', 'b'), result('a'), user], '/messages/1/tool_calls/1'],
  'result-without-call': [[user, result('a')], '/messages/1'],
  'result-misplaced': [[calls('a'), result('a'), user, result('a')], '/messages/3'],
  'duplicate-result': [[calls('a'), result('a'), result('a')], '/messages/2'],
  'duplicate-call-id': [[calls('a', 'a'), result('a')], '/messages/0/tool_calls/1'],
}

describe('openai-chat wire rules', () => {
  it.each(OPENAI_CHAT_RULES.map(({ id }) => id))('%s is the only one to catch its case', (id) => {
    const [messages, pointer] = BROKEN[id] ?? [undefined, '']
    expect(rulesAt(openaiChat, { messages } as JsonObject)).toEqual([`${id} ${pointer}`])
  })

  it('have one source each and unique names', () => {
    expect(new Set(OPENAI_CHAT_RULES.map(({ id }) => id)).size).toBe(OPENAI_CHAT_RULES.length)
    for (const { source } of OPENAI_CHAT_RULES) expect(source).not.toBe('')
  })

  it.each([
    ['the travel desk', fixture('openai-chat/travel-desk.json')],
    ['functions of the first API', fixture('openai-chat/functions.json')],
    [
      'an id used in two turns',
      { messages: [calls('a'), result('a'), user, calls('a'), result('a')] },
    ],
    ['pending calls at the tail', { messages: [user, calls('a', 'b')] }],
    [
      'pending calls at the tail, some answered',
      { messages: [user, calls('a', 'b'), result('b')] },
    ],
    ['results in another order', { messages: [calls('a', 'b'), result('b'), result('a')] }],
    ['a refusal without content', { messages: [user, { role: 'assistant', refusal: 'no' }] }],
    ['no message', { messages: [] }],
    [
      'a function that answers nothing',
      {
        messages: [
          { role: 'assistant', function_call: { name: 'f', arguments: '' } },
          { role: 'function', name: 'f', content: null },
        ],
      },
    ],
    [
      'every part in the role that may hold it, and parts that nobody here knows',
      {
        messages: [
          {
            role: 'user',
            content: [
              { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
              { type: 'input_audio', input_audio: { data: 'UklGRg==', format: 'wav' } },
              { type: 'file', file: { file_id: 'file-1' } },
            ],
          },
          { role: 'assistant', content: [{ type: 'refusal', refusal: 'no' }] },
          { role: 'system', content: [{ type: 'hologram' }] },
        ],
      },
    ],
    [
      'names of other alphabets, and the name that a tool message carries on other servers',
      {
        messages: [
          { ...user, name: 'Zoë.@home' },
          calls('a'),
          { ...result('a'), name: 'any name' },
        ],
      },
    ],
    [
      'a custom tool, whose name the API does not restrict',
      {
        messages: [
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'my tool', input: '' } }],
          },
          result('a'),
        ],
      },
    ],
  ])('find nothing in %s', (_, payload) => {
    expect(rulesAt(openaiChat, payload)).toEqual([])
  })

  it.each([
    [
      'a user message between a call and its result',
      [calls('a'), user, result('a')],
      ['call-without-result /messages/0/tool_calls/0', 'result-misplaced /messages/2'],
    ],
    [
      'two calls in a row',
      [calls('a'), calls('b'), result('b')],
      ['call-without-result /messages/0/tool_calls/0'],
    ],
    [
      'a function answer of another name',
      [
        { role: 'assistant', function_call: { name: 'f', arguments: '' } },
        { role: 'function', name: 'g', content: '' },
      ],
      ['result-without-call /messages/1'],
    ],
    [
      'content that is an empty list',
      [
        { role: 'user', content: [] },
        { role: 'tool', tool_call_id: 'a', content: [] },
      ],
      ['empty-content /messages/0', 'empty-content /messages/1', 'result-without-call /messages/1'],
    ],
    [
      'an assistant that neither speaks nor calls',
      [{ role: 'assistant', content: null, tool_calls: [] }],
      ['empty-content /messages/0', 'empty-tool-calls /messages/0/tool_calls'],
    ],
    [
      'every part that stands in another role than its own',
      [
        { role: 'system', content: [{ type: 'input_audio', input_audio: {} }] },
        { role: 'user', content: [{ type: 'refusal', refusal: 'no' }] },
        {
          role: 'assistant',
          content: [
            { type: 'file', file: {} },
            { type: 'image_url', image_url: {} },
          ],
        },
      ],
      [
        'part-role /messages/0/content/0',
        'part-role /messages/1/content/0',
        'part-role /messages/2/content/0',
        'part-role /messages/2/content/1',
      ],
    ],
    [
      'names with what would end a turn',
      ['a b', 'a<b', 'a|b', 'a\\b', 'a/b', 'a>b', ''].map((name) => ({ ...user, name })),
      Array.from({ length: 7 }, (_, index) => `speaker-name /messages/${index}/name`),
    ],
    [
      'a tool or another message without content',
      [calls('a'), { role: 'tool', tool_call_id: 'a' }, { role: 'function', name: 'f' }],
      ['empty-content /messages/1', 'empty-content /messages/2', 'result-without-call /messages/2'],
    ],
    [
      'content that is an empty string',
      [{ role: 'user', content: '' }],
      ['empty-content /messages/0'],
    ],
  ])('see %s', (_, messages, expected) => {
    expect(rulesAt(openaiChat, { messages } as JsonObject)).toEqual(expected)
  })

  it('look behind what is no message at all', () => {
    expect(rulesAt(openaiChat, { messages: [null, result('a')] })).toEqual([
      'structure /messages/0',
      'result-without-call /messages/1',
    ])
  })

  it('say so where there are no messages to look at', () => {
    expect(rulesAt(openaiChat, {})).toEqual(['structure /messages'])
  })
})
