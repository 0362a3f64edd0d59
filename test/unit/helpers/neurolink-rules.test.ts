import { describe, expect, it } from 'vitest'
import { findFaults } from '../../helpers/wire-rules/index.ts'

const say = (id: string, role: string, content: unknown = 'Hello.') => ({ id, role, content })
const call = (id: string, tool: string, toolCallId?: string) => ({
  ...say(id, 'tool_call', ''),
  tool,
  ...(toolCallId === undefined ? {} : { toolCallId }),
})
const result = (id: string, tool: string, toolCallId?: string) => ({
  ...call(id, tool, toolCallId),
  role: 'tool_result',
  content: 'ok',
})
const user = say('u', 'user')
const answer = say('z', 'assistant')

const faultsOf = (...messages: unknown[]) => findFaults('neurolink', { messages })

describe('neurolink rules: what is well-formed', () => {
  it.each<[string, unknown[]]>([
    ['an empty conversation', []],
    ['a message of each speaking role', [say('s', 'system'), user, answer]],
    ['a user message of parts', [say('u', 'user', [{ type: 'text', text: 'Look.' }])]],
    [
      'parallel calls paired by id in any order',
      [
        user,
        call('1', 'read', 'a'),
        call('2', 'grep', 'b'),
        result('3', 'grep', 'b'),
        result('4', 'read', 'a'),
        answer,
      ],
    ],
    [
      'calls without ids paired by position',
      [
        user,
        call('1', 'read'),
        call('2', 'grep'),
        result('3', 'read'),
        result('4', 'grep'),
        answer,
      ],
    ],
    [
      'a batch in which one id is absent, paired by position',
      [
        user,
        call('1', 'read'),
        call('2', 'grep', 'b'),
        result('3', 'read', 'a'),
        result('4', 'grep', 'b'),
        answer,
      ],
    ],
    [
      'batches in a row, with ids that come back',
      [
        user,
        call('1', 'read', 'a'),
        result('2', 'read', 'a'),
        call('3', 'grep', 'a'),
        result('4', 'grep', 'a'),
        answer,
      ],
    ],
    ['calls that are pending at the tail', [user, call('1', 'read', 'a'), call('2', 'grep', 'b')]],
    [
      'calls that are answered in part at the tail',
      [user, call('1', 'read', 'a'), call('2', 'grep', 'b'), result('3', 'grep', 'b')],
    ],
    [
      'a call with null content',
      [user, { ...call('1', 'read'), content: null }, result('2', 'read'), answer],
    ],
  ])('accepts %s', (_, messages) => {
    expect(faultsOf(...messages)).toEqual([])
  })
})

describe('neurolink rules: what is broken', () => {
  it.each<[string, unknown[], string, string]>([
    [
      'the tool role of another format',
      [user, say('t', 'tool')],
      'unknown-role',
      '/messages/1/role',
    ],
    [
      'a message without id',
      [user, { role: 'assistant', content: 'Hi.' }],
      'missing-message-id',
      '/messages/1/id',
    ],
    [
      'two messages with one id',
      [user, say('u', 'assistant')],
      'duplicate-message-id',
      '/messages/1/id',
    ],
    ['a message without text', [say('u', 'user', '')], 'empty-content', '/messages/0/content'],
    [
      'a message with null content',
      [user, say('a', 'assistant', null)],
      'empty-content',
      '/messages/1/content',
    ],
    ['a message without parts', [say('u', 'user', [])], 'empty-content', '/messages/0/content'],
    [
      'a result without text',
      [user, call('1', 'read'), { ...result('2', 'read'), content: '' }, answer],
      'empty-content',
      '/messages/2/content',
    ],
    [
      'a result without call',
      [user, result('1', 'read', 'a'), answer],
      'orphan-result',
      '/messages/1',
    ],
    [
      'a result of an id nobody used',
      [user, call('1', 'read', 'a'), result('2', 'read', 'a'), result('3', 'read', 'x'), answer],
      'orphan-result',
      '/messages/3',
    ],
    [
      'one result more than calls',
      [user, call('1', 'read'), result('2', 'read'), result('3', 'read'), answer],
      'orphan-result',
      '/messages/3',
    ],
    [
      'a call without result',
      [user, call('1', 'read', 'a'), answer],
      'missing-result',
      '/messages/1',
    ],
    [
      'one of two calls without its id among the results',
      [user, call('1', 'read', 'a'), call('2', 'grep', 'b'), result('3', 'grep', 'b'), answer],
      'missing-result',
      '/messages/1',
    ],
    [
      'one result less than calls',
      [user, call('1', 'read'), call('2', 'read'), result('3', 'read'), answer],
      'missing-result',
      '/messages/2',
    ],
    [
      'two results for one id',
      [user, call('1', 'read', 'a'), result('2', 'read', 'a'), result('3', 'read', 'a'), answer],
      'duplicate-result',
      '/messages/3',
    ],
    [
      'one id for two calls',
      [user, call('1', 'read', 'a'), call('2', 'read', 'a'), result('3', 'read', 'a'), answer],
      'duplicate-call',
      '/messages/2',
    ],
    [
      'a result of another tool',
      [user, call('1', 'read'), result('2', 'grep'), answer],
      'mismatched-tool',
      '/messages/2/tool',
    ],
  ])('rejects %s', (_, messages, rule, pointer) => {
    expect(faultsOf(...messages)).toEqual([{ rule, pointer }])
  })

  it('names both ends where an assistant message breaks a batch apart', () => {
    expect(faultsOf(user, call('1', 'read', 'a'), answer, result('2', 'read', 'a'))).toEqual([
      { rule: 'missing-result', pointer: '/messages/1' },
      { rule: 'orphan-result', pointer: '/messages/3' },
    ])
  })
})
