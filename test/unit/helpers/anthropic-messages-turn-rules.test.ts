import { describe, expect, it } from 'vitest'
import { findFaults } from '../../helpers/wire-rules/index.ts'

const text = (value: string) => ({ type: 'text', text: value })
const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: '15 degrees' })
const thinking = { type: 'thinking', thinking: 'Compare.', signature: 'EqQB' }
const user = (content: unknown = 'Hello.') => ({ role: 'user', content })
const assistant = (content: unknown = 'Hi.') => ({ role: 'assistant', content })

const faultsOf = (messages: unknown[]) => findFaults('anthropic-messages', { messages })

describe('anthropic messages rules: turns of several messages', () => {
  it.each<[string, unknown[]]>([
    [
      'parallel results spread over messages of one turn',
      [
        user(),
        assistant([use('a'), use('b')]),
        user([result('a')]),
        user([result('b'), text('Go on.')]),
        assistant(),
      ],
    ],
    [
      'parallel calls spread over messages of one turn',
      [user(), assistant([use('a')]), assistant([use('b')]), user([result('a'), result('b')])],
    ],
    [
      'thinking that the next message of the turn goes on from',
      [user(), assistant([thinking]), assistant([text('So.')]), user()],
    ],
  ])('accepts %s', (_, messages) => {
    expect(faultsOf(messages)).toEqual([])
  })

  it.each<[string, unknown[], string, string]>([
    [
      'text before a result, in a message of its own',
      [user(), assistant([use('a')]), user('Here:'), user([result('a')])],
      'results-first',
      '/messages/3/content/0',
    ],
    [
      'two results for a call, in messages of one turn',
      [user(), assistant([use('a')]), user([result('a')]), user([result('a')])],
      'duplicate-result',
      '/messages/3/content/0',
    ],
    [
      'a call left open by a turn that goes on to talk in its next message',
      [user(), assistant([use('a'), use('b')]), user([result('a')]), user('Next?')],
      'call-without-result',
      '/messages/1/content/1',
    ],
  ])('rejects %s', (_, messages, rule, pointer) => {
    expect(faultsOf(messages)).toEqual([{ rule, pointer }])
  })
})
