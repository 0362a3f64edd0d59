import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { chat, prose, user } from '../seeds/support.ts'
import { expectNeverWorse, nested, refusalOf } from './bad-input.ts'

const calls = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'f', arguments: '{}' } })),
})
const result = (id: string): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content: prose(40, id),
})
const says = (content: JsonValue): JsonObject => ({ role: 'assistant', content })
const many = Array.from({ length: 1_000 }, (_, index) => `call_${index}`)

const FAULTY: readonly [label: string, faulty: JsonObject[], rules: string[]][] = [
  [
    "another format's parts",
    [
      says([{ type: 'tool_use', id: 'a', name: 'f', input: {} }]),
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'r' }] },
    ],
    [],
  ],
  ['a call answered twice', [calls('a'), result('a'), result('a')], ['duplicate-result']],
  [
    'results before their calls',
    [result('a'), calls('a'), user('go on')],
    ['result-without-call', 'call-without-result'],
  ],
  [
    'ids reused across turns, the second time without a result',
    [calls('a'), result('a'), user('again'), calls('a'), user('go on'), result('a')],
    ['call-without-result', 'result-misplaced'],
  ],
  ['1,000 parallel calls', [calls(...many), ...many.map(result)], []],
  [
    '1,000 parallel calls, one without a result',
    [calls(...many), ...many.slice(1).map(result)],
    ['call-without-result'],
  ],
  [
    'empty arrays',
    [
      { role: 'user', content: [] },
      { role: 'assistant', content: 'x', tool_calls: [] },
    ],
    ['empty-content', 'empty-tool-calls'],
  ],
  ['200 levels of nesting', [{ ...user('deep'), extra: nested(200) }], []],
  [
    'a part of 200 levels',
    [{ role: 'user', content: [{ type: 'novel', value: nested(200) }] }],
    [],
  ],
]

describe('openai-chat takes as it is, and never makes worse,', () => {
  it.each(FAULTY)('%s', async (_, faulty, rules) => {
    await expectNeverWorse('openai-chat', [...chat(4), ...faulty, ...chat(10)], rules)
  })

  it('a conversation of only tool results', async () => {
    const results = Array.from({ length: 20 }, (_, index) => result(`a${index}`))
    await expectNeverWorse(
      'openai-chat',
      results,
      results.map(() => 'result-without-call'),
    )
  })
})

describe('openai-chat refuses', () => {
  it.each([
    [
      'a format mixed with another where none is named',
      [
        ...chat(2),
        calls('a'),
        result('a'),
        says([{ type: 'tool_use', id: 'b', name: 'f', input: {} }]),
      ],
      'ambiguous-format',
    ],
    ['no messages at all', [], 'empty-conversation'],
    ['an empty object', [{}], 'unknown-format'],
  ])('%s', async (_, messages, code) => {
    expect(await refusalOf(messages as JsonObject[])).toBe(code)
  })

  it.each([
    ['an array in the place of a message', [[]]],
    ['an array in the place of a part', [{ role: 'user', content: [[]] }]],
    ['an empty list in the place of an id', [{ ...result('a'), tool_call_id: [] }]],
    ['a value deeper than can be counted', [{ ...user('deep'), extra: nested(1_100) }]],
  ])('%s', async (_, messages) => {
    expect(await refusalOf(messages as JsonObject[], 'openai-chat')).toBe('invalid-conversation')
  })
})
