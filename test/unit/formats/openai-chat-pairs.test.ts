import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { openaiChat } from '../../../src/formats/openai-chat/index.ts'
import { fixture, read } from './support.ts'

const user = (content = 'u'): JsonObject => ({ role: 'user', content })
const calls = (...ids: string[]): JsonObject => ({
  role: 'assistant',
  content: null,
  tool_calls: ids.map((id) => ({
    id,
    type: 'function',
    function: { name: `f_${id}`, arguments: '{}' },
  })),
})
const result = (id: string, content = 'r'): JsonObject => ({
  role: 'tool',
  tool_call_id: id,
  content,
})

const groupsOf = (messages: JsonObject[]): number[][] => {
  const transcript = read(openaiChat, { messages })
  return [...closeLinks(transcript).members.values()].map((members) => [...members])
}
const codes = (messages: JsonObject[]): string[] =>
  read(openaiChat, { messages }).warnings.map(({ code, pointer }) => `${code} ${pointer}`)

describe('openai-chat links', () => {
  it('join a call with its result', () => {
    const { entries } = read(openaiChat, { messages: [user(), calls('a'), result('a'), user()] })
    expect(entries.map(({ links }) => links)).toEqual([[], ['call:a'], ['call:a'], []])
  })

  it('join parallel calls with all of their results, whatever the order', () => {
    const messages = [user(), calls('a', 'b', 'c'), result('c'), result('a'), result('b'), user()]
    expect(groupsOf(messages)).toEqual([[0], [1, 2, 3, 4], [5]])
    expect(codes(messages)).toEqual([])
  })

  it('do not chain exchanges that use the same id again', () => {
    const messages = [
      calls('a'),
      result('a'),
      user(),
      calls('a'),
      result('a'),
      user(),
      calls('a'),
      result('a'),
    ]
    expect(groupsOf(messages)).toEqual([[0, 1], [2], [3, 4], [5], [6, 7]])
    const { entries, warnings } = read(openaiChat, { messages })
    expect(entries.map(({ parts }) => parts[0]?.callId)).toEqual([
      'a',
      'a',
      undefined,
      'a#2',
      'a#2',
      undefined,
      'a#3',
      'a#3',
    ])
    expect(warnings.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['duplicate-call-id', '/messages/3/tool_calls/0'],
      ['duplicate-call-id', '/messages/6/tool_calls/0'],
    ])
  })

  it('keep apart an id that looks like a renamed one', () => {
    const messages = [calls('a#2'), result('a#2'), calls('a'), result('a'), calls('a'), result('a')]
    expect(groupsOf(messages)).toEqual([
      [0, 1],
      [2, 3],
      [4, 5],
    ])
  })

  it('give a result to the nearest earlier call with its id that has none', () => {
    const messages = [calls('a'), user(), calls('a'), result('a', 'second'), result('a', 'first')]
    expect(groupsOf(messages)).toEqual([[0, 4], [1], [2, 3]])
  })

  it('keep a second answer with the call that it answers again', () => {
    const messages = [calls('a'), result('a'), result('a'), user()]
    expect(groupsOf(messages)).toEqual([[0, 1, 2], [3]])
    expect(codes(messages)).toEqual(['duplicate-tool-result /messages/2'])
    const { entries } = read(openaiChat, { messages })
    expect(entries.map(({ links }) => links)).toEqual([['call:a'], ['call:a'], ['call:a'], []])
  })

  it('pair a result over other messages', () => {
    expect(groupsOf([calls('a'), user(), result('a')])).toEqual([[0, 2], [1]])
  })

  it('pair functions of the first API by name, in order', () => {
    const transcript = read(openaiChat, fixture('openai-chat/functions.json'))
    expect([...closeLinks(transcript).members.values()]).toEqual([
      [0],
      [1],
      [2, 3],
      [4],
      [5],
      [6, 7],
      [8],
    ])
    expect(transcript.warnings).toEqual([])
    expect(transcript.entries[7]?.parts[0]).toMatchObject({
      kind: 'tool-result',
      toolName: 'weather',
    })
  })
})

describe('openai-chat warnings', () => {
  it('tell of a result without a call, which stays as it is', () => {
    const messages = [user(), result('ghost'), user()]
    expect(codes(messages)).toEqual(['orphan-tool-result /messages/1'])
    expect(read(openaiChat, { messages }).entries[1]).toMatchObject({ role: 'tool', links: [] })
  })

  it('tell of a result that comes before its call', () => {
    expect(codes([result('a'), calls('a'), user()])).toEqual([
      'orphan-tool-result /messages/0',
      'unanswered-tool-call /messages/1/tool_calls/0',
    ])
  })

  it('tell of a call that was never answered, and name it as unresolved', () => {
    const messages = [calls('a', 'b'), result('b'), user(), { role: 'assistant', content: 'x' }]
    expect(codes(messages)).toEqual(['unanswered-tool-call /messages/0/tool_calls/0'])
    expect(read(openaiChat, { messages }).entries[0]?.unresolvedCalls).toEqual(['a'])
  })

  it.each([
    ['none of them answered', [user(), calls('a', 'b')]],
    ['some of them answered', [user(), calls('a', 'b'), result('b')]],
  ])('are silent about calls that are pending at the tail, %s', (_, messages) => {
    const transcript = read(openaiChat, { messages })
    expect(transcript.warnings).toEqual([])
    expect(transcript.entries[1]?.unresolvedCalls).toContain('a')
  })

  it('are cut at 20 of a kind, with the number of the rest', () => {
    const { warnings } = read(openaiChat, {
      messages: Array.from({ length: 50 }, (_, i) => result(`x${i}`)),
    })
    expect(warnings).toHaveLength(21)
    expect(warnings[20]).toEqual({
      code: 'orphan-tool-result',
      message: '30 more of this kind are not listed',
    })
  })
})
