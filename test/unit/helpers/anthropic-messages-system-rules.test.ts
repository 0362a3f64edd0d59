import { describe, expect, it } from 'vitest'
import { findFaults } from '../../helpers/wire-rules/index.ts'

const text = (value: string) => ({ type: 'text', text: value })
const user = (content: unknown = 'Hello.') => ({ role: 'user', content })
const assistant = (content: unknown = 'Hi.') => ({ role: 'assistant', content })
const system = (content: unknown = 'Be brief.') => ({ role: 'system', content })
const setting = (content: unknown = []) => ({
  role: 'system',
  content,
  output_config: { effort: 'low' },
})
const use = { type: 'tool_use', id: 'a', name: 'weather', input: {} }
const result = { type: 'tool_result', tool_use_id: 'a', content: '15 degrees' }
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
const found = { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content: [] }
const compaction = (content: unknown) => ({ type: 'compaction', content })

const faultsOf = (...messages: unknown[]) => findFaults('anthropic-messages', { messages })

describe('anthropic messages rules: instructions among the messages', () => {
  it.each<[string, unknown[]]>([
    ['between a request and its answer', [user(), system(), assistant(), user()]],
    ['at the end', [user(), assistant(), user(), system()]],
    ['in a group', [user(), system(), system(), assistant()]],
    [
      'behind the results of calls',
      [user(), assistant([use]), user([result]), system(), assistant(), user()],
    ],
    [
      'behind the result of a server tool',
      [user(), assistant([search, found]), system(), assistant(), user()],
    ],
    ['as a change of tools', [user(), system([{ type: 'tool_removal', tool_name: 'weather' }])]],
    ['as a setting at the start', [setting(), user()]],
    ['as a setting between two turns', [user(), assistant(), setting(), user()]],
    [
      'as a setting without content',
      [user(), assistant(), { role: 'system', output_config: { effort: 'low' } }, user()],
    ],
    [
      'as a setting between a call and its result',
      [user(), assistant([use]), setting(), user([result])],
    ],
    ['behind a request and a setting', [user(), setting(), system(), assistant()]],
  ])('are accepted %s', (_, messages) => {
    expect(faultsOf(...messages)).toEqual([])
  })

  it.each<[string, unknown[], string, string]>([
    ['at the start', [system(), user()], 'system-placement', '/messages/0'],
    [
      'behind an answer, before a request',
      [user(), assistant(), system(), user()],
      'system-placement',
      '/messages/2',
    ],
    [
      'behind an answer, before another',
      [user(), assistant(), system(), assistant()],
      'system-placement',
      '/messages/2',
    ],
    [
      'behind an answer, at the end',
      [user(), assistant(), system()],
      'system-placement',
      '/messages/2',
    ],
    ['between two requests', [user(), system(), user()], 'system-placement', '/messages/1'],
    [
      'as a group behind an answer',
      [user(), assistant(), system(), system(), user()],
      'system-placement',
      '/messages/2',
    ],
    [
      'as a group before a request',
      [user(), system(), system(), user()],
      'system-placement',
      '/messages/2',
    ],
    [
      'between a call and its result',
      [user(), assistant([use]), system(), user([result])],
      'system-placement',
      '/messages/2',
    ],
    [
      'between two turns, with a setting beside the words',
      [user(), assistant(), setting('Be brief.'), user()],
      'system-placement',
      '/messages/2',
    ],
    [
      'behind the result of a server tool, before a request',
      [user(), assistant([search, found]), system(), user()],
      'system-placement',
      '/messages/2',
    ],
    ['without content', [user(), { role: 'system' }], 'empty-content', '/messages/1/content'],
    ['without blocks', [user(), system([])], 'empty-content', '/messages/1/content'],
    [
      'as a setting that sets nothing',
      [user(), { ...setting(), output_config: {} }],
      'empty-content',
      '/messages/1/content',
    ],
    ['as empty text', [user(), system([text('')])], 'empty-text', '/messages/1/content/0'],
    [
      'as an image',
      [user(), system([{ type: 'image', source: { type: 'file', file_id: 'f' } }])],
      'block-role',
      '/messages/1/content/0',
    ],
    ['as a result', [user(), system([result])], 'block-role', '/messages/1/content/0'],
  ])('are refused %s', (_, messages, rule, pointer) => {
    expect(faultsOf(...messages)).toEqual([{ rule, pointer }])
  })
})

describe('anthropic messages rules: compactions', () => {
  it.each<[string, unknown[]]>([
    ['at the start, by the assistant', [assistant([compaction('So far.')]), user()]],
    ['later', [user(), assistant([compaction('So far.'), text('Hi.')]), user()]],
    ['that failed', [user(), assistant([compaction(null), text('Hi.')]), user()]],
  ])('are accepted %s', (_, messages) => {
    expect(faultsOf(...messages)).toEqual([])
  })

  it.each<[string, unknown[], string, string]>([
    [
      'behind other words of an assistant who speaks first',
      [assistant([text('Hi.'), compaction('So far.')]), user()],
      'first-role',
      '/messages/0',
    ],
    [
      'that failed, as the first of all',
      [assistant([compaction(null), text('Hi.')]), user()],
      'first-role',
      '/messages/0',
    ],
    [
      'with an empty summary',
      [user(), assistant([compaction(''), text('Hi.')]), user()],
      'empty-text',
      '/messages/1/content/0',
    ],
  ])('are refused %s', (_, messages, rule, pointer) => {
    expect(faultsOf(...messages)).toEqual([{ rule, pointer }])
  })
})
