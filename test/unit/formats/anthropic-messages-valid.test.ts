import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
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
  user,
} from './anthropic-blocks.ts'
import { fixture, rulesAt } from './support.ts'

describe('anthropic-messages wire rules', () => {
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
    [
      'four breakpoints, the longer ones first, one inside a result',
      {
        tools: [cached({ name: 't', input_schema: {} }, '1h')],
        system: [text, cached(text, '1h')],
        messages: [
          user(),
          assistant(call('a')),
          user([{ ...result('a'), content: [cached(text, '5m')] }, cached(text)]),
        ],
      },
    ],
    [
      'a breakpoint of the request itself, the fourth',
      {
        cache_control: { type: 'ephemeral' },
        system: [cached(text, '1h'), cached(text, '1h'), cached(text)],
        messages: [user()],
      },
    ],
    [
      'a breakpoint of the request itself where the last block is the fourth, for the same time',
      {
        cache_control: { type: 'ephemeral' },
        messages: [user([cached(text), cached(text), cached(text), cached(text, '5m')])],
      },
    ],
    [
      'a breakpoint of the request itself that is switched off, or has no block to go to',
      {
        cache_control: null,
        messages: [user([cached(text), cached(text), cached(text), cached(text), text])],
      },
    ],
    [
      'breakpoints that are switched off',
      { messages: [user(Array.from({ length: 6 }, () => ({ ...text, cache_control: null })))] },
    ],
    [
      'a conversation that begins with a compaction',
      { messages: [assistant(compaction('All said.')), user()] },
    ],
    ['a compaction that failed', { messages: [user(), assistant(compaction(null), text)] }],
    [
      'a server tool that waits for the results of a client tool',
      {
        messages: [
          user(),
          assistant(serverCall('s'), call('a')),
          user([result('a')]),
          assistant(serverResult('s'), text),
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
})
