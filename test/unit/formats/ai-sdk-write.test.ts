import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { aiSdk } from '../../../src/formats/ai-sdk/index.ts'
import { compareChange } from '../../../src/formats/change-rule.ts'
import { fixture, marker, parse, plan, read, summary } from './support.ts'

const messagesOf = (payload: JsonObject): JsonObject[] => payload.messages as JsonObject[]
const partsOf = (message: JsonObject | undefined): JsonValue[] =>
  Array.isArray(message?.content) ? message.content : []
const PAYLOAD = fixture('ai-sdk/greenhouse.json')

/** The part in the place of the given one, after it was told to say `x`. */
const rewritten = (role: string, part: JsonObject) =>
  messagesOf(
    aiSdk.write({ messages: [{ role, content: [part] }] }, plan({ replaced: { 0: { 0: 'x' } } })),
  )[0]?.content
const result = (output: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'tool-result',
  toolCallId: 'a',
  toolName: 'f',
  output,
  ...more,
})

describe('writing ai-sdk', () => {
  it('returns the payload itself for an empty plan', () => {
    expect(aiSdk.write(PAYLOAD, plan({}))).toBe(PAYLOAD)
  })

  it('leaves untouched messages and parts the very same objects, and the payload as it was', () => {
    const before = JSON.stringify(PAYLOAD)
    const written = aiSdk.write(
      PAYLOAD,
      plan({ dropped: [4, 5], replaced: { 3: { 0: 'x' } }, insertions: [marker(4)] }),
    )
    expect(JSON.stringify(PAYLOAD)).toBe(before)
    expect(written.system).toBe(PAYLOAD.system)
    const [from, to] = [messagesOf(PAYLOAD), messagesOf(written)]
    for (const index of [0, 1, 2]) expect(to[index]).toBe(from[index])
    expect(to.slice(5)).toEqual(from.slice(6))
    for (const index of [6, 7, 8, 9, 10, 11, 12, 13]) expect(to[index - 1]).toBe(from[index])
    expect(partsOf(to[3])[1]).toBe(partsOf(from[3])[1])
    expect(partsOf(to[3])[0]).not.toBe(partsOf(from[3])[0])
    expect(to[4]).toEqual({ role: 'user', content: '[2 earlier messages]' })
  })

  it('writes insertions as a role and a string', () => {
    const { messages } = aiSdk.write(
      { messages: [] },
      plan({ insertions: [summary(0), { ...marker(0), role: 'assistant' }] }),
    )
    expect(messages).toEqual([
      { role: 'user', content: 'All said.' },
      { role: 'assistant', content: '[2 earlier messages]' },
    ])
  })

  it.each([
    ['text', { type: 'text', value: 'long' }, { type: 'text', value: 'x' }],
    ['json', { type: 'json', value: { a: 1 } }, { type: 'text', value: 'x' }],
    ['error-text', { type: 'error-text', value: 'long' }, { type: 'error-text', value: 'x' }],
    ['error-json', { type: 'error-json', value: [1] }, { type: 'error-text', value: 'x' }],
    [
      'content',
      { type: 'content', value: [{ type: 'text', text: 'long' }] },
      { type: 'text', value: 'x' },
    ],
    ['empty content', { type: 'content', value: [] }, { type: 'text', value: 'x' }],
  ])('rewrites an output of %s, and a failure stays one', (_, output, expected) => {
    expect(rewritten('tool', result(output))).toEqual([result(expected)])
  })

  it('leaves the other members of a result, its options and those of its output where they are', () => {
    const options = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    const output = { providerOptions: options, type: 'json', value: [1], own: 1 }
    const written = rewritten('tool', { own: 2, ...result(output, { providerOptions: options }) })
    expect(JSON.stringify(written)).toBe(
      JSON.stringify([
        {
          own: 2,
          ...result(
            { providerOptions: options, type: 'text', value: 'x', own: 1 },
            { providerOptions: options },
          ),
        },
      ]),
    )
  })

  it('keeps a cache breakpoint that an item of the output has, and no other of its options', () => {
    const cacheControl = { type: 'ephemeral' }
    const value = [
      { type: 'text', text: 'a', providerOptions: { openai: { imageDetail: 'low' } } },
      { type: 'image-url', url: 'u', providerOptions: { anthropic: { cacheControl, own: 1 } } },
    ]
    expect(rewritten('tool', result({ type: 'content', value }))).toEqual([
      result({
        type: 'content',
        value: [{ type: 'text', text: 'x', providerOptions: { anthropic: { cacheControl } } }],
      }),
    ])
  })

  it('changes nothing of a text but the text', () => {
    const part = { providerOptions: { openai: {} }, type: 'text', text: 'long', own: 1 }
    expect(JSON.stringify(rewritten('user', part))).toBe(JSON.stringify([{ ...part, text: 'x' }]))
    const payload = { messages: [{ own: 1, content: 'long', role: 'assistant' }] }
    expect(JSON.stringify(aiSdk.write(payload, plan({ replaced: { 0: { 0: 'x' } } })))).toBe(
      '{"messages":[{"own":1,"content":"x","role":"assistant"}]}',
    )
  })

  it.each([
    ['image', { type: 'image', image: 'AA==' }],
    ['file', { type: 'file', data: 'AA==', mediaType: 'image/png' }],
  ])('writes a note in place of an %s, and keeps its breakpoint', (_, part) => {
    const providerOptions = { anthropic: { cacheControl: { type: 'ephemeral' } } }
    expect(rewritten('user', part)).toEqual([{ type: 'text', text: 'x' }])
    expect(rewritten('user', { ...part, providerOptions })).toEqual([
      { type: 'text', text: 'x', providerOptions },
    ])
  })

  it('reads back what it has written, at every site that may be rewritten', () => {
    const before = read(aiSdk, PAYLOAD)
    const sites = before.entries.flatMap(({ index, parts }) =>
      parts.flatMap(({ rewritable }, part) => (rewritable ? [[index, part] as const] : [])),
    )
    expect(sites).toHaveLength(11)
    for (const [entry, part] of sites) {
      const written = aiSdk.write(PAYLOAD, plan({ replaced: { [entry]: { [part]: 'said less' } } }))
      const after = read(aiSdk, written).entries
      for (const { index, parts } of before.entries) {
        for (const [number, old] of parts.entries()) {
          const isRewritten = index === entry && number === part
          const expected = isRewritten ? { ...old, text: 'said less', tokens: 9 } : old
          if (isRewritten) Reflect.deleteProperty(expected, 'media')
          expect(after[index]?.parts[number]).toEqual(expected)
        }
      }
      expect(aiSdk.check(written)).toEqual([])
    }
  })

  it.each([
    ['thinking', { type: 'reasoning', text: 't' }],
    ['a call', { type: 'tool-call', toolCallId: 'a', toolName: 'f', input: {} }],
    ['an approval', { type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a' }],
    ['an unknown part', { type: 'hologram' }],
    ['a result without an output', { type: 'tool-result', toolCallId: 'a', toolName: 'f' }],
  ])('refuses to rewrite %s', (_, part) => {
    expect(() => rewritten('assistant', part)).toThrow('part 0 of the message cannot be rewritten')
  })

  it('keeps a member named __proto__ what it is', () => {
    const payload = parse(
      '{"messages":[{"__proto__":1,"role":"user","content":[{"__proto__":2,"type":"text","text":"a"}]}]}',
    )
    expect(JSON.stringify(aiSdk.write(payload, plan({ replaced: { 0: { 0: 'x' } } })))).toBe(
      '{"messages":[{"__proto__":1,"role":"user","content":[{"__proto__":2,"type":"text","text":"x"}]}]}',
    )
  })
})

describe('what an edit of ai-sdk may not do', () => {
  const thought = (text: string, more: JsonObject = {}): JsonObject => ({
    type: 'reasoning',
    text,
    ...more,
  })
  const file = { type: 'reasoning-file', data: 'AA==', mediaType: 'image/png' }
  const options = { openai: { itemId: 'rs' } }
  const said: JsonObject = { type: 'text', text: 'a' }
  /** Rules that a run breaks which leaves the second message with this content. */
  const broken = (before: JsonObject[], after: JsonObject[]) => {
    const user = { role: 'user', content: 'u' }
    const payload = { messages: [user, { role: 'assistant', content: before }] }
    const edited = { messages: [user, { role: 'assistant', content: after }] }
    const changes = plan({ replaced: { 1: { 0: 'x' } } })
    return compareChange(aiSdk, payload, edited, changes).map(({ rule, pointer }) => {
      expect(pointer).toBe('/messages/1')
      return rule
    })
  }

  it.each([
    ['the text changed', [thought('t'), said], [thought('x'), said], ['sealed-changed']],
    [
      'the options changed',
      [thought('t', { providerOptions: options }), said],
      [thought('t', { providerOptions: { openai: { itemId: 'x' } } }), said],
      ['sealed-changed'],
    ],
    ['a file changed', [file, said], [{ ...file, data: 'BB==' }, said], ['sealed-changed']],
    [
      'the order changed',
      [thought('s'), thought('t')],
      [thought('t'), thought('s')],
      ['sealed-changed'],
    ],
    ['one is gone', [thought('s'), thought('t'), said], [thought('t'), said], ['reasoning-parted']],
    ['a file is gone', [thought('s'), file, said], [thought('s'), said], ['reasoning-parted']],
    [
      'one is gone and one changed',
      [thought('s'), thought('t'), said],
      [thought('x'), said],
      ['sealed-changed', 'reasoning-parted'],
    ],
    ['all stay', [thought('s'), file, said], [thought('s'), file, { ...said, text: 'x' }], []],
  ])('is found out where %s', (_, before, after, rules) => {
    expect(broken(before, after)).toEqual(rules)
  })

  it('is nothing where the whole message is gone', () => {
    const messages = [{ role: 'assistant', content: [thought('t'), said] }]
    const changes = plan({ dropped: [0] })
    expect(compareChange(aiSdk, { messages }, aiSdk.write({ messages }, changes), changes)).toEqual(
      [],
    )
  })
})
