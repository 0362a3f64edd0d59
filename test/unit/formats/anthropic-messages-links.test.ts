import { describe, expect, it } from 'vitest'
import { closeLinks } from '../../../src/engine/groups.ts'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { compactWith } from '../seeds/support.ts'
import { fixture, read } from './support.ts'

const user = (content: JsonValue = 'u'): JsonObject => ({ role: 'user', content })
const assistant = (...content: JsonValue[]): JsonObject => ({ role: 'assistant', content })
const text = (value = 't'): JsonObject => ({ type: 'text', text: value })
const thinking: JsonObject = { type: 'thinking', thinking: 'hm', signature: 's' }
const call = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'f', input: {} })
const result = (id: string): JsonObject => ({ type: 'tool_result', tool_use_id: id, content: 'r' })
const system = (content: JsonValue = 's'): JsonObject => ({ role: 'system', content })

const groupsOf = (payload: JsonObject): number[][] =>
  [...closeLinks(read(anthropicMessages, payload)).members.values()].map((members) => [...members])
const codes = (messages: JsonObject[]): string[] =>
  read(anthropicMessages, { messages }).warnings.map(({ code, pointer }) => `${code} ${pointer}`)

describe('anthropic-messages links', () => {
  it('join parallel calls with the message of their results', () => {
    expect(groupsOf(fixture('anthropic-messages/code-review.json'))).toEqual([
      [0],
      [1, 2],
      [3],
      [4],
      [5],
    ])
  })

  it('are none where a message needs no other', () => {
    const { entries } = read(anthropicMessages, fixture('anthropic-messages/code-review.json'))
    expect(entries[3]?.links).toEqual([])
  })

  it('do not chain the exchanges of a loop, nor an id that is used again', () => {
    const loop = [1, 2, 3].flatMap(() => [assistant(call('a')), user([result('a')])])
    expect(groupsOf({ messages: [user(), ...loop, assistant(text())] })).toEqual([
      [0],
      [1, 2],
      [3, 4],
      [5, 6],
      [7],
    ])
  })

  it('keep the messages of an assistant turn together where one of them thinks', () => {
    expect(
      groupsOf({
        messages: [user(), assistant(thinking), assistant(call('a')), user([result('a')])],
      }),
    ).toEqual([[0], [1, 2, 3]])
    expect(groupsOf({ messages: [user(), assistant(text()), assistant(text()), user()] })).toEqual([
      [0],
      [1],
      [2],
      [3],
    ])
  })

  it('keep a server tool and its result together, also turns apart', () => {
    expect(groupsOf(fixture('anthropic-messages/server-tools.json'))).toEqual([
      [0],
      [1],
      [2],
      [3, 4, 5],
    ])
  })

  it('keep the neighbours of a system message, without which it may not stand there', () => {
    const messages = [
      user(),
      assistant(text()),
      user(),
      system(),
      system(),
      assistant(text()),
      user(),
    ]
    expect(groupsOf({ messages })).toEqual([[0], [1], [2, 3, 4, 5], [6]])
    const between = (message: JsonObject) =>
      groupsOf({ messages: [user(), message, assistant(text())] })
    const setting = { ...system([]), output_config: { effort: 'low' } }
    expect(between(setting)).toEqual([[0], [1], [2]])
    // It sets nothing, or says something beside what it sets: then it stands where others may.
    expect(between({ ...setting, output_config: {} })).toEqual([[0, 1, 2]])
    expect(between({ ...setting, content: 'Go on.' })).toEqual([[0, 1, 2]])
  })

  it('keep an old marker beside a system message, where no other could stand', async () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const messages = [
      user([image]),
      system(),
      assistant(text('[Earlier conversation history was truncated to fit within context limits]')),
      ...Array.from({ length: 6 }, () => [
        user('word '.repeat(60)),
        assistant(text('word '.repeat(60))),
      ]).flat(),
      user(),
    ]
    const request = {
      format: 'anthropic-messages',
      messages,
      options: { protectRecent: 1 },
    } as const
    const { floor } = (await compactWith({ ...request, targetTokens: 1e9 })).report
    // Counts of Claude's tokens are estimates, of which a target keeps 0.95.
    const targetTokens = (floor.tokens + 200) / 0.95
    const { report, messages: after, brokenRules } = await compactWith({ ...request, targetTokens })
    expect(brokenRules).toEqual([])
    expect(report).toMatchObject({ outcome: 'compacted', fits: true })
    expect(after.slice(0, 3)).toEqual(messages.slice(0, 3))
    expect(anthropicMessages.check({ messages: [...after] })).toEqual([])
  })
})

describe('anthropic-messages warnings', () => {
  it('tell of results without calls and calls without results', () => {
    expect(
      codes([user([result('ghost')]), assistant(call('a')), user('no result'), assistant(text())]),
    ).toEqual([
      'orphan-tool-result /messages/0/content/0',
      'unanswered-tool-call /messages/1/content/0',
    ])
  })

  it.each([
    ['alone', [user(), assistant(text(), call('a'))]],
    ['in a turn of two messages', [user(), assistant(call('a')), assistant(call('b'))]],
    ['with some results', [user(), assistant(call('a'), call('b')), user([result('b')])]],
    [
      'before a system message',
      [user(), assistant(call('a'), call('b')), user([result('b')]), system()],
    ],
  ])('are silent about calls that are pending at the tail, %s', (_, messages) => {
    const transcript = read(anthropicMessages, { messages })
    expect(transcript.warnings).toEqual([])
    expect(transcript.entries[1]?.unresolvedCalls).toEqual(['a'])
  })

  it('are silent about a turn that was paused while a tool runs at the provider', () => {
    const running = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: {} }
    const { warnings, entries } = read(anthropicMessages, {
      messages: [user(), { ...assistant(text(), running), stop_reason: 'pause_turn' }],
    })
    expect(warnings).toEqual([])
    expect(entries[1]?.unresolvedCalls).toEqual(['srvtoolu_1'])
  })

  it('tell of a call that the user talks over', () => {
    expect(
      codes([user(), assistant(call('a'), call('b')), user([result('b'), text('go on')])]),
    ).toEqual(['unanswered-tool-call /messages/1/content/0'])
  })

  it('tell of an orphaned result of a server tool', () => {
    const orphan = { type: 'advisor_tool_result', tool_use_id: 'srv', content: {} }
    expect(codes([user(), assistant(orphan, text())])).toEqual([
      'orphan-tool-result /messages/1/content/0',
    ])
  })

  it.each([
    ['claude-opus-5-5', undefined, true],
    ['claude-fable-5.1', undefined, true],
    ['anthropic/claude-haiku-5-5-20260901', undefined, true],
    ['claude-sonnet-6', undefined, true],
    ['claude-opus-5-5', { block_binding: { prefix_mismatch_behavior: 'drop_block' } }, false],
    ['claude-opus-5', undefined, false],
    ['claude-sonnet-4-6', undefined, false],
    ['claude-opus-4-20250514', undefined, false],
    [undefined, undefined, false],
  ])(
    'model %s with %j: thinking bound to what precedes it is told: %s',
    (model, options, isTold) => {
      const payload = {
        messages: [user(), assistant(text()), user(), assistant(text(), thinking, call('a'))],
        ...(model !== undefined && { model }),
        ...(options !== undefined && { thinking: options }),
      } as JsonObject
      expect(
        read(anthropicMessages, payload).warnings.map(({ code, pointer }) => [code, pointer]),
      ).toEqual(isTold ? [['thinking-bound-to-prefix', '/messages/3/content/1']] : [])
    },
  )

  it('say nothing of bound thinking where there is none', () => {
    expect(
      read(anthropicMessages, { model: 'claude-opus-5-5', messages: [user()] }).warnings,
    ).toEqual([])
  })
})
