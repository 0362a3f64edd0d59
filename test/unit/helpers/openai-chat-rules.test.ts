import { describe, expect, it } from 'vitest'
import { findFaults } from '../../helpers/wire-rules/index.ts'

const user = { role: 'user', content: 'What is the weather in Paris and Rome?' }
const answer = { role: 'assistant', content: 'Sunny in both.' }
const call = (id: string) => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: '{}' },
})
const asking = (...ids: string[]) => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map(call),
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'sunny' })
const legacy = { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{}' } }
const legacyResult = { role: 'function', name: 'f', content: null }

const faultsOf = (...messages: unknown[]) => findFaults('openai-chat', { messages })

describe('openai chat rules: what the provider takes', () => {
  it.each<[string, unknown[]]>([
    [
      'a plain exchange with every instruction role',
      [
        { role: 'system', content: 'Be brief.' },
        { role: 'developer', content: [{ type: 'text', text: 'Use metric units.' }] },
        user,
        answer,
      ],
    ],
    [
      'parallel calls with results in another order',
      [user, asking('a', 'b'), result('b'), result('a'), answer],
    ],
    [
      'several rounds of calls in one turn',
      [user, asking('a'), result('a'), asking('b'), result('b'), answer],
    ],
    [
      'call ids that start anew in a later turn',
      [
        user,
        asking('call_0'),
        result('call_0'),
        answer,
        user,
        asking('call_0'),
        result('call_0'),
        answer,
      ],
    ],
    ['calls that are pending at the tail', [user, asking('a', 'b')]],
    ['calls that are answered in part at the tail', [user, asking('a', 'b'), result('b')]],
    ['a refusal in place of content', [user, { role: 'assistant', content: null, refusal: 'No.' }]],
    ['audio in place of content', [user, { role: 'assistant', audio: { id: 'audio_1' } }]],
    [
      'empty text beside calls and an empty tool output',
      [user, { ...asking('a'), content: '' }, { ...result('a'), content: '' }, answer],
    ],
    [
      'the legacy function call and its result without content',
      [user, legacy, legacyResult, answer],
    ],
    ['a legacy function call that is pending', [user, legacy]],
    ['an unknown kind of part', [{ role: 'user', content: [{ type: 'x_widget' }] }]],
  ])('accepts %s', (_, messages) => {
    expect(faultsOf(...messages)).toEqual([])
  })
})

describe('openai chat rules: what the provider refuses', () => {
  it.each<[string, unknown[], string, string]>([
    ['an empty list', [], 'no-messages', '/messages'],
    [
      'a role outside the union',
      [{ role: 'tool_result', content: 'x' }],
      'known-role',
      '/messages/0/role',
    ],
    ['an item that is no object', [user, 'hello'], 'known-role', '/messages/1/role'],
    ['a user without content', [{ role: 'user' }], 'empty-content', '/messages/0/content'],
    [
      'a user with empty text',
      [{ role: 'user', content: '' }],
      'empty-content',
      '/messages/0/content',
    ],
    [
      'a user with no parts',
      [{ role: 'user', content: [] }],
      'empty-content',
      '/messages/0/content',
    ],
    [
      'a user whose parts are all empty',
      [{ role: 'user', content: [{ type: 'text', text: '' }] }],
      'empty-content',
      '/messages/0/content',
    ],
    [
      'an assistant that says nothing at all',
      [user, { role: 'assistant', content: null }],
      'empty-content',
      '/messages/1/content',
    ],
    [
      'an assistant with empty text',
      [user, { role: 'assistant', content: '' }],
      'empty-content',
      '/messages/1/content',
    ],
    [
      'a null function call as a reason for null content',
      [user, { role: 'assistant', content: null, function_call: null }],
      'empty-content',
      '/messages/1/content',
    ],
    [
      'a tool result without content',
      [user, asking('a'), { ...result('a'), content: null }],
      'empty-content',
      '/messages/2/content',
    ],
    [
      'an empty list of calls',
      [user, { ...answer, tool_calls: [] }],
      'empty-tool-calls',
      '/messages/1/tool_calls',
    ],
    ['a result without a call', [user, result('a')], 'result-without-call', '/messages/1'],
    ['a result as the first message', [result('a'), user], 'result-without-call', '/messages/0'],
    [
      'a result for another call',
      [user, asking('a'), result('a'), result('z'), answer],
      'result-without-call',
      '/messages/3',
    ],
    [
      'a result for a call before the last one',
      [user, asking('a'), result('a'), asking('b'), result('b'), result('a')],
      'result-without-call',
      '/messages/5',
    ],
    [
      'a result without an id',
      [user, asking('a'), result('a'), { role: 'tool', content: 'x' }],
      'result-without-call',
      '/messages/3',
    ],
    [
      'one of two parallel calls without result',
      [user, asking('a', 'b'), result('a'), answer],
      'call-without-result',
      '/messages/1/tool_calls/1',
    ],
    [
      'a call that is followed by the next user message',
      [user, asking('a'), user],
      'call-without-result',
      '/messages/1/tool_calls/0',
    ],
    [
      'a call that is followed by another round',
      [user, asking('a'), asking('b'), result('b')],
      'call-without-result',
      '/messages/1/tool_calls/0',
    ],
    [
      'a call that is answered twice',
      [user, asking('a'), result('a'), result('a')],
      'duplicate-result',
      '/messages/3',
    ],
    [
      'one id for two calls of a message',
      [user, asking('a', 'a'), result('a')],
      'duplicate-call-id',
      '/messages/1/tool_calls/1',
    ],
    [
      'a call without an id',
      [user, { ...answer, tool_calls: [{ type: 'function' }] }],
      'missing-call-id',
      '/messages/1/tool_calls/0',
    ],
    [
      'a legacy call without result',
      [user, legacy, answer],
      'call-without-result',
      '/messages/1/function_call',
    ],
    [
      'a legacy result of another function',
      [user, answer, { ...legacyResult, name: 'g' }],
      'result-without-call',
      '/messages/2',
    ],
    [
      'a legacy result behind a plain message',
      [user, answer, legacyResult],
      'result-without-call',
      '/messages/2',
    ],
    [
      'a legacy result as the first message',
      [{ role: 'function', content: 'x' }, user],
      'result-without-call',
      '/messages/0',
    ],
  ])('rejects %s', (_, messages, rule, pointer) => {
    expect(faultsOf(...messages)).toEqual([{ rule, pointer }])
  })

  it('names both ends of a result that was moved behind the next message', () => {
    expect(faultsOf(user, asking('a'), answer, result('a'))).toEqual([
      { rule: 'call-without-result', pointer: '/messages/1/tool_calls/0' },
      { rule: 'result-without-call', pointer: '/messages/3' },
    ])
  })

  it('names call and result where neither has an id', () => {
    const nameless = { ...answer, tool_calls: [{ type: 'function' }] }
    expect(faultsOf(user, nameless, { role: 'tool', content: 'x' }, user)).toEqual([
      { rule: 'missing-call-id', pointer: '/messages/1/tool_calls/0' },
      { rule: 'result-without-call', pointer: '/messages/2' },
    ])
  })

  it('names an id that is used twice and answered never, once for each', () => {
    expect(faultsOf(user, asking('a', 'a'), user)).toEqual([
      { rule: 'duplicate-call-id', pointer: '/messages/1/tool_calls/1' },
      { rule: 'call-without-result', pointer: '/messages/1/tool_calls/0' },
    ])
  })

  it('names both ends of a legacy call that another function answers', () => {
    expect(faultsOf(user, legacy, { ...legacyResult, name: 'g' })).toEqual([
      { rule: 'call-without-result', pointer: '/messages/1/function_call' },
      { rule: 'result-without-call', pointer: '/messages/2' },
    ])
  })
})
