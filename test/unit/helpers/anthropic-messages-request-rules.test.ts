import { describe, expect, it } from 'vitest'
import { findFaults, type WirePayload } from '../../helpers/wire-rules/index.ts'

const short = { cache_control: { type: 'ephemeral' } }
const named = { cache_control: { type: 'ephemeral', ttl: '5m' } }
const long = { cache_control: { type: 'ephemeral', ttl: '1h' } }
const none = { cache_control: null }
const text = (members: object = {}) => ({ type: 'text', text: 'x', ...members })
const tool = (members: object = {}) => ({ name: 't', input_schema: {}, ...members })
const thinking = { type: 'thinking', thinking: 'Compare.', signature: 'EqQB' }
const redacted = { type: 'redacted_thinking', data: 'EmwK' }
const use = (id: string) => ({ type: 'tool_use', id, name: 'weather', input: {} })
const result = (id: string, members: object = {}) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: '15 degrees',
  ...members,
})
const search = (id: string) => ({ type: 'server_tool_use', id, name: 'web_search', input: {} })
const found = (id: string) => ({ type: 'web_search_tool_result', tool_use_id: id, content: [] })
const user = (...content: unknown[]) => ({ role: 'user', content })
const assistant = (...content: unknown[]) => ({ role: 'assistant', content })

const faultsOf = (messages: unknown[], rest: Omit<WirePayload, 'messages'> = {}) =>
  findFaults('anthropic-messages', { messages, ...rest })

const exchange = (members: object) => [
  user(text()),
  assistant(use('a')),
  user(result('a', members)),
]

describe('anthropic messages rules: breakpoints of the cache', () => {
  it.each<[string, unknown[], Omit<WirePayload, 'messages'>]>([
    ['one hour before five minutes', [user(text(long), text(named), text(short))], {}],
    [
      'one hour in tools and five minutes in system and messages',
      [user(text(short))],
      { tools: [tool(long)], system: [text(short)] },
    ],
    ['one hour inside a result of five minutes', exchange({ content: [text(long)], ...short }), {}],
    [
      'four and one that is null',
      [user(text(short), text(short), text(short), text(none), text(short))],
      {},
    ],
    [
      'one of the request, the fourth',
      [user(text(short), text(short), text(short), text())],
      short,
    ],
    [
      'one of the request beside four, the last of them on the last block',
      [user(text(long), text(short), text(short), text(named))],
      short,
    ],
    [
      'one of the request that is null beside four',
      [user(...Array(4).fill(text(short)), text())],
      none,
    ],
    [
      'beside thinking',
      [user(text()), assistant(thinking, redacted, text(short)), user(text())],
      {},
    ],
  ])('are accepted with %s', (_, messages, rest) => {
    expect(faultsOf(messages, rest)).toEqual([])
  })

  it.each<[string, unknown[], Omit<WirePayload, 'messages'>, string, string]>([
    [
      'one hour after five minutes',
      [user(text(short), text(long))],
      {},
      'cache-ttl-order',
      '/messages/0/content/1',
    ],
    [
      'one hour in a message after five minutes in the tools',
      [user(text(long))],
      { tools: [tool(named)] },
      'cache-ttl-order',
      '/messages/0/content/0',
    ],
    [
      'one hour in the system prompt after five minutes in the tools',
      [user(text())],
      { tools: [tool(short)], system: [text(long)] },
      'cache-ttl-order',
      '/system/0',
    ],
    [
      'a result of one hour around five minutes',
      exchange({ content: [text(short)], ...long }),
      {},
      'cache-ttl-order',
      '/messages/2/content/0',
    ],
    [
      'a fifth, of tools, system, messages and what a result holds',
      exchange({ content: [text(short), text(short)], ...short }),
      { tools: [tool(short)], system: [text(short)] },
      'too-many-cache-breakpoints',
      '/messages/2/content/0',
    ],
    [
      'one of the request beside four',
      [user(text(short), text(short), text(short), text(short), text())],
      short,
      'too-many-cache-breakpoints',
      '/cache_control',
    ],
    [
      'one of the request for an hour after five minutes',
      [user(text(short), text())],
      long,
      'cache-ttl-order',
      '/cache_control',
    ],
    [
      'one of the request for another time than the last block has',
      [user(text(long))],
      short,
      'cache-ttl-differs',
      '/messages/0/content/0',
    ],
    [
      'one on thinking',
      [user(text()), assistant({ ...thinking, ...short }, text()), user(text())],
      {},
      'cache-on-thinking',
      '/messages/1/content/0',
    ],
    [
      'one on redacted thinking, even null',
      [user(text()), assistant({ ...redacted, ...none }, text()), user(text())],
      {},
      'cache-on-thinking',
      '/messages/1/content/0',
    ],
  ])('are refused with %s', (_, messages, rest, rule, pointer) => {
    expect(faultsOf(messages, rest)).toEqual([{ rule, pointer }])
  })
})

describe('anthropic messages rules: ids of calls', () => {
  it.each(['toolu_01AbC', 'call-1_2', 'srvtoolu_1'])('accepts %s', (id) => {
    expect(faultsOf([user(text()), assistant(use(id)), user(result(id))])).toEqual([])
  })

  it.each(['functions.read:0', 'call 1', 'appel_é', 'a\n', ''])(
    'refuses %j on both sides',
    (id) => {
      expect(faultsOf([user(text()), assistant(use(id)), user(result(id))])).toEqual([
        { rule: 'call-id', pointer: '/messages/1/content/0' },
        { rule: 'call-id', pointer: '/messages/2/content/0' },
      ])
    },
  )

  it('accepts the prefix that tools of the server have', () => {
    const answer = assistant(search('srvtoolu_a1_B'), found('srvtoolu_a1_B'), text())
    expect(faultsOf([user(text()), answer, user(text())])).toEqual([])
  })

  it.each(['toolu_1', 'srvtoolu_', 'srvtoolu_1-2'])('refuses %s of a tool of the server', (id) => {
    expect(
      faultsOf([user(text()), assistant(search(id), found(id), text()), user(text())]),
    ).toEqual([{ rule: 'call-id', pointer: '/messages/1/content/0' }])
  })
})
