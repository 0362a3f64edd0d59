import { describe, expect, it } from 'vitest'
import { openaiChat } from '../../../src/formats/openai-chat/index.ts'
import { faultsOf, parse, read } from './support.ts'

describe('openai-chat faults', () => {
  const user = { role: 'user', content: 'hi' }
  it.each([
    ['messages missing', {}, '/messages', 'messages-array'],
    ['messages of a wrong type', { messages: 'hi' }, '/messages', 'messages-array'],
    ['a message that is no object', { messages: [user, 'hi'] }, '/messages/1', 'message-object'],
    ['a message that is null', { messages: [null] }, '/messages/0', 'message-object'],
    ['a role missing', { messages: [user, { content: 'x' }] }, '/messages/1/role', 'role-required'],
    [
      'an unknown role',
      { messages: [user, user, user, { role: 'robot', content: 'x' }] },
      '/messages/3/role',
      'role-unknown',
    ],
    [
      'a role of a wrong type',
      { messages: [{ role: 7, content: 'x' }] },
      '/messages/0/role',
      'role-unknown',
    ],
    [
      'content of a wrong type',
      { messages: [{ role: 'user', content: 7 }] },
      '/messages/0/content',
      'content-type',
    ],
    [
      'content that is an object',
      { messages: [{ role: 'user', content: { text: 'x' } }] },
      '/messages/0/content',
      'content-type',
    ],
    [
      'a part that is no object',
      { messages: [{ role: 'user', content: ['x'] }] },
      '/messages/0/content/0',
      'part-object',
    ],
    [
      'a part without a type',
      { messages: [{ role: 'user', content: [{ text: 'x' }] }] },
      '/messages/0/content/0',
      'part-object',
    ],
    [
      'a text that is no string',
      { messages: [{ role: 'user', content: [{ type: 'text', text: 1 }] }] },
      '/messages/0/content/0/text',
      'text-string',
    ],
    [
      'a result that answers nothing',
      { messages: [{ role: 'tool', content: 'x' }] },
      '/messages/0/tool_call_id',
      'call-id',
    ],
    [
      'calls that are no array',
      { messages: [{ role: 'assistant', tool_calls: {} }] },
      '/messages/0/tool_calls',
      'tool-calls-array',
    ],
    [
      'a call that is no object',
      { messages: [{ role: 'assistant', tool_calls: [1] }] },
      '/messages/0/tool_calls/0',
      'tool-call-object',
    ],
    [
      'a call without an id',
      { messages: [{ role: 'assistant', tool_calls: [{ function: {} }] }] },
      '/messages/0/tool_calls/0/id',
      'call-id',
    ],
    ['tools of a wrong type', { messages: [user], tools: 'all' }, '/tools', 'tools-array'],
  ])('name the place and the rule of %s', (_, payload, pointer, rule) => {
    const faults = faultsOf(openaiChat, parse(JSON.stringify(payload)))
    expect(faults.map((fault) => [fault.pointer, fault.rule])).toEqual([[pointer, rule]])
    expect(faults[0]?.detail).not.toBe('')
  })

  it('are collected, all of them up to 20', () => {
    const bad = { role: 'user', content: [7, 8] }
    expect(
      faultsOf(openaiChat, { messages: [bad, { role: 'x' }] }).map(({ pointer }) => pointer),
    ).toEqual(['/messages/0/content/0', '/messages/0/content/1', '/messages/1/role'])
    expect(faultsOf(openaiChat, { messages: new Array(30).fill(bad) })).toHaveLength(20)
  })

  it('say how many there are, and where the list was cut', () => {
    const broken = (count: number) => () => read(openaiChat, { messages: new Array(count).fill(7) })
    expect(broken(1)).toThrow(/in 1 place$/)
    expect(broken(20)).toThrow(/in 20 places$/)
    expect(broken(21)).toThrow(/in 21 places; the first 20 are listed$/)
  })

  it('are found behind a message that cannot be read at all', () => {
    const faults = faultsOf(openaiChat, { messages: [7, { role: 'robot' }] })
    expect(faults.map(({ pointer }) => pointer)).toEqual(['/messages/0', '/messages/1/role'])
  })

  it('never repeat what the message says', () => {
    const secret = 'correct horse battery staple'
    const faults = faultsOf(openaiChat, {
      messages: [
        { role: secret, content: secret },
        { role: 'user', content: { [secret]: secret } },
      ],
    })
    expect(JSON.stringify(faults)).not.toContain('horse')
  })
})
