import { describe, expect, it } from 'vitest'
import { findFaults, type WirePayload } from '../../helpers/wire-rules/index.ts'

const text = (value: string) => ({ type: 'text', text: value })
const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} })
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: '15 degrees' })
const thinking = { type: 'thinking', thinking: 'Compare.', signature: 'EqQB' }
const redacted = { type: 'redacted_thinking', data: 'EmwK' }
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
const user = (content: unknown = 'Hello.') => ({ role: 'user', content })
const assistant = (content: unknown = 'Hi.') => ({ role: 'assistant', content })
const breakpoint = { ...text('x'), cache_control: { type: 'ephemeral' } }

const faultsOf = (messages: unknown[], rest: Omit<WirePayload, 'messages'> = {}) =>
  findFaults('anthropic-messages', { messages, ...rest })

describe('anthropic messages rules: what the provider takes', () => {
  it.each<[string, unknown[]]>([
    [
      'turns of one role in a row, which the server combines',
      [user(), user(), assistant(), assistant()],
    ],
    [
      'parallel calls answered in one message, text last',
      [
        user(),
        assistant([text('Let me look.'), use('a'), use('b')]),
        user([result('b'), result('a'), text('Go on.')]),
      ],
    ],
    [
      'several rounds of calls',
      [
        user(),
        assistant([use('a')]),
        user([result('a')]),
        assistant([use('b')]),
        user([result('b')]),
        assistant(),
      ],
    ],
    ['calls that are pending at the tail', [user(), assistant([use('a'), use('b')])]],
    [
      'results collected in part at the tail',
      [user(), assistant([use('a'), use('b')]), user([result('a')])],
    ],
    [
      'a result without content',
      [
        user(),
        assistant([use('a')]),
        user([{ type: 'tool_result', tool_use_id: 'a' }]),
        assistant(),
      ],
    ],
    [
      'thinking before text and between calls',
      [
        user(),
        assistant([thinking, redacted, text('So.'), use('a'), thinking, use('b')]),
        user([result('a'), result('b')]),
      ],
    ],
    ['an empty final assistant message', [user(), assistant('')]],
    [
      'a search of the provider with its result',
      [user(), assistant([search, found, text('Found.')]), user()],
    ],
    ['a paused search at the tail', [user(), assistant([search])]],
    [
      'a search resolved after results of client tools',
      [
        user(),
        assistant([search, use('a')]),
        user([result('a')]),
        assistant([found, text('Done.')]),
        user(),
      ],
    ],
    ['an unknown kind of block', [user([{ type: 'x_widget' }])]],
  ])('accepts %s', (_, messages) => {
    expect(faultsOf(messages)).toEqual([])
  })

  it('accepts four cache breakpoints over tools, system and messages', () => {
    const tools = [{ name: 't', input_schema: {}, cache_control: { type: 'ephemeral' } }]
    expect(faultsOf([user([breakpoint, breakpoint])], { system: [breakpoint], tools })).toEqual([])
  })
})

describe('anthropic messages rules: what the provider refuses', () => {
  it.each<[string, unknown[], string, string]>([
    ['an empty list', [], 'no-messages', '/messages'],
    ['an assistant as the first speaker', [assistant(), user()], 'first-role', '/messages/0'],
    [
      'a role that is none of the three',
      [user(), { role: 'developer', content: 'x' }],
      'known-role',
      '/messages/1/role',
    ],
    ['a message without content', [user(null)], 'empty-content', '/messages/0/content'],
    ['a message without blocks', [user([]), assistant()], 'empty-content', '/messages/0/content'],
    ['a message of white space', [user(' \n'), assistant()], 'empty-text', '/messages/0/content'],
    [
      'an empty assistant message that is not the last',
      [user(), assistant([]), user()],
      'empty-content',
      '/messages/1/content',
    ],
    ['an empty text block', [user([text('a'), text('')])], 'empty-text', '/messages/0/content/1'],
    ['a text block of white space', [user([text('\t')])], 'empty-text', '/messages/0/content/0'],
    [
      'an empty text block inside a result',
      [user(), assistant([use('a')]), user([{ ...result('a'), content: [text('')] }])],
      'empty-text',
      '/messages/2/content/0/content/0',
    ],
    [
      'a call written by the user',
      [user([text('x'), use('a')])],
      'block-role',
      '/messages/0/content/1',
    ],
    [
      'a result written by the assistant',
      [user(), assistant([text('x'), result('a')])],
      'block-role',
      '/messages/1/content/1',
    ],
    [
      'thinking written by the user',
      [user([thinking, text('x')])],
      'block-role',
      '/messages/0/content/0',
    ],
    [
      'a call without result',
      [user(), assistant([use('a')]), user()],
      'call-without-result',
      '/messages/1/content/0',
    ],
    [
      'a call that is followed by the assistant',
      [user(), assistant([use('a')]), assistant(), user()],
      'call-without-result',
      '/messages/1/content/0',
    ],
    [
      'one of two parallel calls without result',
      [user(), assistant([use('a'), use('b')]), user([result('a')]), assistant()],
      'call-without-result',
      '/messages/1/content/1',
    ],
    [
      'a call left open by a message that goes on to talk',
      [user(), assistant([use('a'), use('b')]), user([result('a'), text('Next?')])],
      'call-without-result',
      '/messages/1/content/1',
    ],
    [
      'a result without a call',
      [user([result('a')]), assistant()],
      'result-without-call',
      '/messages/0/content/0',
    ],
    [
      'a result of a call before the last one',
      [user(), assistant([use('a')]), user([result('a')]), assistant(), user([result('a')])],
      'result-without-call',
      '/messages/4/content/0',
    ],
    [
      'two results for a call',
      [user(), assistant([use('a')]), user([result('a'), result('a')])],
      'duplicate-result',
      '/messages/2/content/1',
    ],
    [
      'a call id that was used in an earlier turn',
      [
        user(),
        assistant([use('a')]),
        user([result('a')]),
        assistant([use('a')]),
        user([result('a')]),
      ],
      'duplicate-call-id',
      '/messages/3/content/0',
    ],
    [
      'a final assistant message of white space',
      [user(), assistant(' ')],
      'empty-text',
      '/messages/1/content',
    ],
    [
      'text before a result',
      [user(), assistant([use('a')]), user([text('Here:'), result('a')])],
      'results-first',
      '/messages/2/content/1',
    ],
    [
      'an assistant message of thinking alone',
      [user(), assistant([thinking, redacted]), user()],
      'thinking-last',
      '/messages/1/content/1',
    ],
    [
      'thinking as the last block',
      [user(), assistant([text('So.'), thinking])],
      'thinking-last',
      '/messages/1/content/1',
    ],
    [
      'thinking without signature',
      [user(), assistant([{ ...thinking, signature: '' }, text('So.')])],
      'thinking-sealed',
      '/messages/1/content/0',
    ],
    [
      'redacted thinking without data',
      [user(), assistant([{ type: 'redacted_thinking' }, text('So.')])],
      'thinking-sealed',
      '/messages/1/content/0',
    ],
    [
      'a search without result',
      [user(), assistant([search, text('Hm.')]), user()],
      'server-call-without-result',
      '/messages/1/content/0',
    ],
    [
      'the result of a search that was dropped',
      [user(), assistant([found, text('Found.')]), user()],
      'server-result-without-call',
      '/messages/1/content/0',
    ],
    [
      'the result of a search of an earlier turn',
      [
        user(),
        assistant([search, found, text('Found.')]),
        user(),
        assistant([found, text('Again.')]),
      ],
      'server-result-without-call',
      '/messages/3/content/0',
    ],
    [
      'five cache breakpoints',
      [user([breakpoint, breakpoint, breakpoint, breakpoint, breakpoint])],
      'too-many-cache-breakpoints',
      '/messages/0/content/4',
    ],
  ])('rejects %s', (_, messages, rule, pointer) => {
    expect(faultsOf(messages)).toEqual([{ rule, pointer }])
  })

  it('rejects an empty text block in the system prompt', () => {
    expect(faultsOf([user()], { system: [text('Be brief.'), text(' ')] })).toEqual([
      { rule: 'empty-text', pointer: '/system/1' },
    ])
  })

  it('counts the breakpoint of a tool and of a block inside a result', () => {
    const tools = [{ name: 't', input_schema: {}, cache_control: { type: 'ephemeral' } }]
    const nested = { ...result('a'), content: [breakpoint, breakpoint, breakpoint] }
    const messages = [user([breakpoint]), assistant([use('a')]), user([nested])]
    expect(faultsOf(messages)).toEqual([])
    expect(faultsOf(messages, { tools })).toEqual([
      { rule: 'too-many-cache-breakpoints', pointer: '/messages/2/content/0/content/2' },
    ])
  })

  it('does not take a result written by the assistant for an answer', () => {
    expect(faultsOf([user(), assistant([use('a')]), assistant([result('a')]), user()])).toEqual([
      { rule: 'block-role', pointer: '/messages/2/content/0' },
      { rule: 'call-without-result', pointer: '/messages/1/content/0' },
    ])
  })
})
