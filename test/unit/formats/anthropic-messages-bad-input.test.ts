import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { chat, prose } from '../seeds/support.ts'
import {
  assistant,
  call,
  serverCall,
  serverResult,
  text,
  thinking,
  user,
} from './anthropic-blocks.ts'
import { expectNeverWorse, nested, refusalOf } from './bad-input.ts'

const result = (id: string): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  content: prose(40, id),
})
const many = Array.from({ length: 1_000 }, (_, index) => `call_${index}`)

const FAULTY: readonly [label: string, faulty: JsonObject[], rules: string[]][] = [
  [
    "another format's parts",
    [
      user([{ type: 'image_url', image_url: { url: 'https://example.com/a.png' } }]),
      {
        ...assistant(text),
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '' } }],
      },
    ],
    [],
  ],
  [
    'a call answered twice, in one message and in two',
    [
      assistant(call('a')),
      user([result('a'), result('a')]),
      assistant(text),
      assistant(call('b')),
      user([result('b')]),
      user([result('b')]),
      assistant(text),
    ],
    ['duplicate-result', 'duplicate-result'],
  ],
  [
    'results before their calls',
    [user([result('a')]), assistant(call('a')), user('go on'), assistant(text)],
    ['result-without-call', 'call-without-result', 'results-first'],
  ],
  [
    'ids reused across turns',
    [
      assistant(call('a')),
      user([result('a')]),
      assistant(call('a')),
      user([result('a')]),
      assistant(text),
    ],
    ['duplicate-call-id'],
  ],
  [
    '1,000 parallel calls',
    [assistant(...many.map(call)), user(many.map(result)), assistant(text)],
    [],
  ],
  [
    '1,000 parallel calls, one without a result',
    [assistant(...many.map(call)), user(many.slice(1).map(result)), assistant(text)],
    ['call-without-result'],
  ],
  [
    'empty arrays',
    [
      assistant(),
      user([]),
      assistant(call('a')),
      user([{ ...result('a'), content: [] }]),
      assistant(text),
    ],
    ['empty-content', 'empty-content'],
  ],
  [
    'an orphan of each side of the tools that run at the provider',
    [assistant(serverCall('a'), text), user('go on'), assistant(serverResult('b'), text)],
    ['server-call-without-result', 'server-result-without-call'],
  ],
  ['thinking without its answer', [assistant(thinking)], ['thinking-last']],
  ['200 levels of nesting', [user([{ type: 'novel', value: nested(200) }]), assistant(text)], []],
  [
    'arguments of 200 levels',
    [assistant({ ...call('a'), input: nested(200) }), user([result('a')]), assistant(text)],
    [],
  ],
]

describe('anthropic-messages takes as it is, and never makes worse,', () => {
  it.each(FAULTY)('%s', async (_, faulty, rules) => {
    await expectNeverWorse('anthropic-messages', [...chat(3), ...faulty, ...chat(10)], rules)
  })

  it('a conversation of only tool results', async () => {
    const results = Array.from({ length: 20 }, (_, index) => user([result(`a${index}`)]))
    await expectNeverWorse(
      'anthropic-messages',
      results,
      results.map(() => 'result-without-call'),
    )
  })
})

describe('anthropic-messages refuses', () => {
  it.each([
    [
      'a format mixed with another where none is named',
      [user(), assistant(call('a')), { role: 'tool', tool_call_id: 'a', content: 'r' }],
      'ambiguous-format',
    ],
    ['no messages at all', [], 'empty-conversation'],
  ])('%s', async (_, messages, code) => {
    expect(await refusalOf(messages)).toBe(code)
  })

  it.each([
    ['an array in the place of a block', [user([[]])]],
    ['a result without the id of its call', [user([{ type: 'tool_result', content: [] }])]],
    ['a call without an id', [user(), assistant({ type: 'tool_use', name: 'f', input: {} })]],
    ["OpenAI's role for tools", [user(), { role: 'tool', tool_call_id: 'a', content: 'r' }]],
    ['a value deeper than can be counted', [user([{ type: 'novel', value: nested(1_100) }])]],
  ])('%s', async (_, messages) => {
    expect(await refusalOf(messages, 'anthropic-messages')).toBe('invalid-conversation')
  })
})
