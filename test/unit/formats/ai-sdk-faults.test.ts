import { describe, expect, it } from 'vitest'
import { readConversation } from '../../../src/conversation/read-conversation.ts'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { aiSdk } from '../../../src/formats/ai-sdk/index.ts'
import { itemsOf } from '../../../src/formats/conversation-list.ts'
import { servicesWith } from '../seeds/support.ts'
import { faultsOf, read, rulesAt } from './support.ts'

const user: JsonObject = { role: 'user', content: 'u' }
const says = (...content: JsonValue[]): JsonObject => ({ role: 'assistant', content })
const gives = (...content: JsonValue[]): JsonObject => ({ role: 'tool', content })
const call = (toolCallId: string): JsonObject => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'f',
  input: {},
})
const result = (toolCallId: string): JsonObject => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'f',
  output: { type: 'text', value: 'r' },
})
function nested(levels: number): JsonValue {
  let value: JsonValue = 'x'
  for (let level = 0; level < levels; level += 1) value = [value]
  return value
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

describe('ai-sdk conversations that cannot be read', () => {
  it.each([
    ['no messages', {}, ['messages-array /messages']],
    ['a message that is none', { messages: [user, 7] }, ['message-object /messages/1']],
    ['no role', { messages: [{ content: 'x' }] }, ['role-required /messages/0/role']],
    [
      'another role',
      { messages: [{ role: 'developer', content: 'x' }] },
      ['role-unknown /messages/0/role'],
    ],
    ['no content', { messages: [{ role: 'assistant' }] }, ['content-type /messages/0/content']],
    [
      'null content',
      { messages: [{ role: 'user', content: null }] },
      ['content-type /messages/0/content'],
    ],
    [
      'parts of a system message',
      { messages: [{ role: 'system', content: [] }] },
      ['content-type /messages/0/content'],
    ],
    [
      'a string of a tool',
      { messages: [{ role: 'tool', content: 'x' }] },
      ['content-type /messages/0/content'],
    ],
    ['a part that is none', { messages: [says('x')] }, ['part-object /messages/0/content/0']],
    [
      'a part without a type',
      { messages: [says({ text: 'x' })] },
      ['part-object /messages/0/content/0'],
    ],
    [
      'a text without text',
      { messages: [says({ type: 'text' })] },
      ['text-string /messages/0/content/0/text'],
    ],
    [
      'parts that cannot be paired',
      {
        messages: [
          says({ type: 'tool-call' }, { type: 'tool-approval-request', toolCallId: 'a' }),
          gives({ type: 'tool-result', toolCallId: 7 }, { type: 'tool-approval-response' }),
        ],
      },
      [
        'call-id /messages/0/content/0/toolCallId',
        'approval-id /messages/0/content/1/approvalId',
        'call-id /messages/1/content/0/toolCallId',
        'approval-id /messages/1/content/1/approvalId',
      ],
    ],
    [
      'UIMessages',
      { messages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] }] },
      ['ui-message /messages/0'],
    ],
    ['a system that is none', { messages: [user], system: 7 }, ['system-type /system']],
    [
      'instructions that are none',
      { messages: [user], instructions: ['x'] },
      ['system-type /instructions'],
    ],
    ['tools that are none', { messages: [user], tools: 'x' }, ['tools-array /tools']],
  ])('are refused with the place: %s', (_, payload, expected) => {
    expect(
      faultsOf(aiSdk, payload as JsonObject).map(({ rule, pointer }) => `${rule} ${pointer}`),
    ).toEqual(expected)
  })

  it('are refused as of no known format where they are UIMessages and name none', () => {
    const messages = [user, { id: '1', role: 'user', parts: [{ type: 'text', text: 'x' }] }]
    expect(() => readConversation({ messages }, servicesWith())).toThrow(
      expect.objectContaining({
        code: 'unknown-format',
        faults: [expect.objectContaining({ rule: 'ui-message', pointer: '/messages/1' })],
      }),
    )
  })

  it('say what the content of a role has to be', () => {
    const messages = ['system', 'user', 'tool'].map((role) => ({ role, content: 7 }))
    expect(faultsOf(aiSdk, { messages }).map(({ detail }) => detail)).toEqual([
      'must be a string',
      'must be a string or an array of parts',
      'must be an array of parts',
    ])
  })

  it.each([
    ['the arguments of a call', (deep: JsonValue) => says({ ...call('a'), input: deep })],
    [
      'an output',
      (deep: JsonValue) => gives({ ...result('a'), output: { type: 'json', value: deep } }),
    ],
  ])('are refused where %s are nested without end, and read 200 levels deep', (_, build) => {
    const messages = (levels: number) => [user, build(nested(levels))]
    expect(faultsOf(aiSdk, { messages: messages(100_000) })).toMatchObject([
      { pointer: '/messages/1', rule: 'max-depth' },
    ])
    const part = read(aiSdk, { messages: messages(200) }).entries[1]?.parts[0]
    expect(part?.text).toContain(']'.repeat(200))
  })
})

describe('ai-sdk conversations that are broken, and read', () => {
  const seen = (...messages: JsonObject[]) => ({
    warnings: read(aiSdk, { messages }).warnings.map(({ code, pointer }) => `${code} ${pointer}`),
    violations: rulesAt(aiSdk, { messages }),
  })

  it('name a call that is answered twice', () => {
    expect(seen(says(call('a')), gives(result('a'), result('a')), user)).toEqual({
      warnings: ['duplicate-tool-result /messages/1/content/1'],
      violations: ['duplicate-result /messages/1/content/1'],
    })
  })

  it('name results before their calls', () => {
    expect(seen(gives(result('a')), says(call('a')), user)).toEqual({
      warnings: [
        'orphan-tool-result /messages/0/content/0',
        'unanswered-tool-call /messages/1/content/0',
      ],
      violations: [
        'call-without-result /messages/1/content/0',
        'result-without-call /messages/0/content/0',
      ],
    })
  })

  it('name an id that is used again', () => {
    const turn = [says(call('a')), gives(result('a')), user]
    expect(seen(...turn, ...turn)).toEqual({
      warnings: ['duplicate-call-id /messages/3/content/0'],
      violations: ['duplicate-call-id /messages/3/content/0'],
    })
  })

  it('hold a thousand parallel calls', () => {
    const ids = times(1_000, (index) => `c${index}`)
    const messages = [user, says(...ids.map(call)), ...ids.map((id) => gives(result(id))), user]
    expect(seen(...messages)).toEqual({ warnings: [], violations: [] })
    const { entries } = read(aiSdk, { messages: messages.slice(0, -2) })
    expect(entries[1]?.unresolvedCalls).toEqual(['c999'])
  })

  it('hold nothing but results', () => {
    const messages = times(30, (index) => gives(result(`c${index}`)))
    const { warnings, entries } = read(aiSdk, { messages })
    expect(entries).toHaveLength(30)
    expect(warnings).toHaveLength(21)
    expect(new Set(warnings.map(({ code }) => code))).toEqual(new Set(['orphan-tool-result']))
    expect(aiSdk.check({ messages })).toHaveLength(30)
  })

  it('say nothing at all', () => {
    const messages = [
      { role: 'user', content: [] },
      { role: 'assistant', content: '' },
      { role: 'tool', content: [] },
    ]
    expect(read(aiSdk, { messages }).entries.map(({ parts }) => parts)).toEqual([[], [], []])
    expect(rulesAt(aiSdk, { messages })).toEqual(
      messages.map((_, index) => `empty-content /messages/${index}/content`),
    )
  })

  it('hold parts of other formats, which are counted and left alone', () => {
    const parts: JsonObject[] = [
      { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      { type: 'tool_use', id: 'a', name: 'f', input: {} },
      { type: 'tool_result', tool_use_id: 'a', content: 'r' },
      { type: 'thinking', thinking: 't', signature: 's' },
      { type: 'source', sourceType: 'url', url: 'u' },
    ]
    const { entries, warnings } = read(aiSdk, { messages: [says(...parts)] })
    expect(warnings).toEqual([])
    expect(entries[0]?.parts.map(({ kind, rewritable }) => [kind, rewritable])).toEqual(
      parts.map(() => ['opaque', false]),
    )
    expect(entries[0]?.parts.every(({ tokens }) => tokens > 0)).toBe(true)
  })

  it('come back as they are, whatever is in them', () => {
    const messages = [gives(result('a')), says(call('a'), { type: 'x' }), user, gives(result('b'))]
    const payload = { messages }
    const written = aiSdk.write(payload, {
      dropped: new Set([2]),
      replaced: new Map(),
      insertions: [],
    })
    expect(itemsOf(written, 'messages')).toEqual(messages.filter((_, index) => index !== 2))
  })
})
