import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { ANTHROPIC_MESSAGES_RULES } from '../../../src/formats/anthropic-messages/check.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import {
  assistant,
  cached,
  call,
  compaction,
  result,
  serverCall,
  serverResult,
  system,
  text,
  thinking,
  user,
} from './anthropic-blocks.ts'
import { rulesAt } from './support.ts'

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
  'call-id': [
    { messages: [user(), assistant(call('functions.look:0'))] },
    '/messages/1/content/0/id',
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
  'too-many-cache-breakpoints': [
    {
      tools: [cached({ name: 't', input_schema: {} })],
      system: [cached(text)],
      messages: [user([cached(text), cached(text)]), assistant(cached(text)), user()],
    },
    '/messages/1/content/0',
  ],
  'cache-ttl-order': [
    { system: [cached(text)], messages: [user([text, cached(text, '1h')])] },
    '/messages/0/content/1',
  ],
  'cache-ttl-differs': [
    { cache_control: { type: 'ephemeral' }, messages: [user([text, cached(text, '1h')])] },
    '/messages/0/content/1',
  ],
  'cache-on-thinking': [
    { messages: [user(), assistant(cached(thinking), text)] },
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
      'blank text of the system prompt, and an empty summary of a compaction',
      {
        system: [text, { type: 'text', text: ' ' }],
        messages: [user(), assistant(compaction(''), text)],
      },
      ['empty-text /system/1', 'empty-text /messages/1/content/0'],
    ],
    [
      'a system message that says nothing and sets nothing',
      { messages: [user(), { ...system([]), output_config: {} }] },
      ['empty-content /messages/1/content'],
    ],
    [
      'a server tool that the user talks over, and its late result',
      {
        messages: [user(), assistant(serverCall('s')), user(), assistant(serverResult('s'), text)],
      },
      [
        'server-call-without-result /messages/1/content/0',
        'server-result-without-call /messages/3/content/0',
      ],
    ],
    [
      'ids of other providers, in calls and results',
      {
        messages: [
          user(),
          assistant({ ...serverCall('s'), id: 'srv-1' }),
          assistant(call('a.b')),
          user([result('a.b')]),
        ],
      },
      [
        'call-id /messages/1/content/0/id',
        'call-id /messages/2/content/0/id',
        'call-id /messages/3/content/0/tool_use_id',
      ],
    ],
    [
      'breakpoints inside of results: the fifth, and one that lasts longer than those before it',
      {
        messages: [
          user([cached(text), cached(text), cached(text), cached(text)]),
          assistant(call('a')),
          user([{ ...result('a'), content: [text, cached(text, '1h')] }]),
        ],
      },
      [
        'too-many-cache-breakpoints /messages/2/content/0/content/1',
        'cache-ttl-order /messages/2/content/0/content/1',
      ],
    ],
    [
      'a breakpoint of the request itself: the fifth, and one that lasts longer than those before it',
      {
        cache_control: { type: 'ephemeral', ttl: '1h' },
        system: [cached(text, '1h'), cached(text, '1h'), cached(text, '1h'), cached(text)],
        messages: [user()],
      },
      ['too-many-cache-breakpoints /cache_control', 'cache-ttl-order /cache_control'],
    ],
    [
      'a breakpoint of the request itself, which thinking at the end does not take',
      {
        cache_control: { type: 'ephemeral', ttl: '5m' },
        messages: [user(), assistant(cached(text, '1h'), thinking)],
      },
      ['thinking-last /messages/1/content/1', 'cache-ttl-differs /messages/1/content/0'],
    ],
    [
      'an assistant first, also with a compaction that failed',
      { messages: [assistant(compaction(null), text), user()] },
      ['first-role /messages/0/role'],
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
