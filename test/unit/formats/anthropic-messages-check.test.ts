import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { ANTHROPIC_MESSAGES_RULES } from '../../../src/formats/anthropic-messages/check.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { fixture, rulesAt } from './support.ts'

const user = (content: JsonValue = 'u'): JsonObject => ({ role: 'user', content })
const assistant = (...content: JsonValue[]): JsonObject => ({ role: 'assistant', content })
const system = (content: JsonValue = 's'): JsonObject => ({ role: 'system', content })
const text: JsonObject = { type: 'text', text: 't' }
const thinking: JsonObject = { type: 'thinking', thinking: 'hm', signature: 's' }
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'f', input: {} })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'r' })
const serverCall = (id: string): JsonObject => ({
  type: 'server_tool_use',
  id,
  name: 'web_search',
  input: {},
})
const serverResult = (id: string): JsonObject => ({
  type: 'web_search_tool_result',
  tool_use_id: id,
  content: [],
})

/** One conversation a rule, which no other rule finds fault with. */
const BROKEN: Record<string, [payload: unknown, pointer: string]> = {
  structure: [{ messages: [user(), null] }, '/messages/1'],
  'known-role': [{ messages: [user(), { role: 'tool', content: 'x' }] }, '/messages/1/role'],
  'first-role': [{ messages: [assistant(text), user()] }, '/messages/0/role'],
  'system-placement': [{ messages: [user(), system(), user()] }, '/messages/1'],
  'block-role': [{ messages: [user([thinking, text])] }, '/messages/0/content/0'],
  'empty-content': [{ messages: [user(), assistant(), user()] }, '/messages/1/content'],
  'empty-text': [
    { messages: [user(), assistant({ type: 'text', text: ' \n' }, text)] },
    '/messages/1/content/0',
  ],
  'call-without-result': [
    { messages: [user(), assistant(call('a'), call('b')), user([result('a')]), assistant(text)] },
    '/messages/1/content/1',
  ],
  'result-without-call': [{ messages: [user([result('a')])] }, '/messages/0/content/0'],
  'result-misplaced': [
    {
      messages: [
        user(),
        assistant(call('a')),
        user([result('a')]),
        assistant(text),
        user([result('a')]),
      ],
    },
    '/messages/4/content/0',
  ],
  'duplicate-result': [
    { messages: [user(), assistant(call('a')), user([result('a'), result('a')])] },
    '/messages/2/content/1',
  ],
  'duplicate-call-id': [
    {
      messages: [
        user(),
        assistant(call('a')),
        user([result('a')]),
        assistant(call('a')),
        user([result('a')]),
      ],
    },
    '/messages/3/content/0',
  ],
  'results-first': [
    { messages: [user(), assistant(call('a')), user([text, result('a')])] },
    '/messages/2/content/1',
  ],
  'server-call-without-result': [
    { messages: [user(), assistant(serverCall('s'), text), user(), assistant(text)] },
    '/messages/1/content/0',
  ],
  'server-result-without-call': [
    { messages: [user(), assistant(serverResult('s'), text)] },
    '/messages/1/content/0',
  ],
  'thinking-sealed': [
    { messages: [user(), assistant({ type: 'thinking', thinking: 'hm' }, text)] },
    '/messages/1/content/0',
  ],
  'thinking-last': [
    { messages: [user(), assistant(text, thinking), user()] },
    '/messages/1/content/1',
  ],
  'thinking-first': [
    {
      thinking: { type: 'enabled', budget_tokens: 1024 },
      messages: [user(), assistant(text, call('a')), user([result('a')])],
    },
    '/messages/1/content/0',
  ],
}

describe('anthropic-messages wire rules', () => {
  it.each(ANTHROPIC_MESSAGES_RULES.map(({ id }) => id))(
    '%s is the only one to catch its case',
    (id) => {
      const [payload, pointer] = BROKEN[id] ?? [{}, '']
      expect(rulesAt(anthropicMessages, payload as JsonObject)).toEqual([`${id} ${pointer}`])
    },
  )

  it('have one source each and unique names', () => {
    expect(new Set(ANTHROPIC_MESSAGES_RULES.map(({ id }) => id)).size).toBe(
      ANTHROPIC_MESSAGES_RULES.length,
    )
    for (const { source } of ANTHROPIC_MESSAGES_RULES) expect(source).not.toBe('')
  })

  it.each([
    ['the code review', fixture('anthropic-messages/code-review.json')],
    ['server tools, also turns apart', fixture('anthropic-messages/server-tools.json')],
    ['pending calls at the tail', { messages: [user(), assistant(call('a'), call('b'))] }],
    [
      'pending calls at the tail, some answered',
      { messages: [user(), assistant(call('a'), call('b')), user([result('b')])] },
    ],
    ['a server tool that is still running', { messages: [user(), assistant(serverCall('s'))] }],
    [
      'results in two user messages, which are one turn',
      {
        messages: [
          user(),
          assistant(call('a'), call('b')),
          user([result('a')]),
          user([result('b')]),
          assistant(text),
        ],
      },
    ],
    [
      'calls in two assistant messages, which are one turn',
      {
        messages: [
          user(),
          assistant(call('a')),
          assistant(call('b')),
          user([result('a'), result('b')]),
        ],
      },
    ],
    ['an empty last assistant message', { messages: [user(), assistant()] }],
    [
      'an empty result',
      { messages: [user(), assistant(call('a')), user([{ ...result('a'), content: '' }])] },
    ],
    [
      'a system message after a user and before an assistant',
      { messages: [user(), system(), assistant(text)] },
    ],
    ['a system message at the end', { messages: [user(), system(), system()] }],
    [
      'a system message after the result of a server tool',
      { messages: [user(), assistant(serverCall('s'), serverResult('s')), system()] },
    ],
    [
      'an empty system message that sets options, anywhere',
      { messages: [user(), { ...system([]), output_config: { effort: 'low' } }, user()] },
    ],
    [
      'a tool turn without thinking where thinking is off',
      { messages: [user(), assistant(text, call('a')), user([result('a')])] },
    ],
    [
      'older tool turns without thinking',
      {
        thinking: { type: 'enabled' },
        messages: [user(), assistant(call('a')), user([result('a')]), assistant(text), user()],
      },
    ],
  ])('find nothing in %s', (_, payload) => {
    expect(rulesAt(anthropicMessages, payload as JsonObject)).toEqual([])
  })

  it.each([
    [
      'a user message between a call and its result',
      { messages: [user(), assistant(call('a')), user(), assistant(text), user([result('a')])] },
      ['call-without-result /messages/1/content/0', 'result-misplaced /messages/4/content/0'],
    ],
    [
      'pending calls that the user talks over',
      { messages: [user(), assistant(call('a')), user()] },
      ['call-without-result /messages/1/content/0'],
    ],
    [
      'blank text inside a result',
      {
        messages: [
          user(),
          assistant(call('a')),
          user([{ ...result('a'), content: [{ type: 'text', text: '' }] }]),
        ],
      },
      ['empty-text /messages/2/content/0/content/0'],
    ],
    ['blank string content', { messages: [user(' ')] }, ['empty-text /messages/0/content']],
    [
      'every blank text of a message, not the first only',
      { messages: [user([text, { type: 'text', text: '' }, { type: 'text', text: ' ' }])] },
      ['empty-text /messages/0/content/1', 'empty-text /messages/0/content/2'],
    ],
    [
      'every block that is in the wrong role',
      { messages: [user([text, thinking, text, { type: 'redacted_thinking', data: 'd' }, text])] },
      ['block-role /messages/0/content/1', 'block-role /messages/0/content/3'],
    ],
    [
      'null content',
      { messages: [{ role: 'user', content: null }] },
      ['empty-content /messages/0/content'],
    ],
    [
      'redacted thinking without data',
      { messages: [user(), assistant({ type: 'redacted_thinking' }, text)] },
      ['thinking-sealed /messages/1/content/0'],
    ],
    ['a system message first', { messages: [system(), user()] }, ['system-placement /messages/0']],
    [
      'a system message after an assistant',
      { messages: [user(), assistant(text), system()] },
      ['system-placement /messages/2'],
    ],
    [
      'a result in an assistant message',
      { messages: [user(), assistant(result('a'), text)] },
      ['block-role /messages/1/content/0'],
    ],
  ])('see %s', (_, payload, expected) => {
    expect(rulesAt(anthropicMessages, payload as JsonObject)).toEqual(expected)
  })
})
