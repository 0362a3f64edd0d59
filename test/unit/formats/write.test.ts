import { describe, expect, it } from 'vitest'
import { entryTokens, type JsonObject, type JsonValue } from '../../../src/engine/transcript.ts'
import type { FormatAdapter } from '../../../src/formats/adapter.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { neurolink } from '../../../src/formats/neurolink/index.ts'
import { openaiChat } from '../../../src/formats/openai-chat/index.ts'
import { countTokens, fixture, marker, parse, plan, read, summary, totalTokens } from './support.ts'

const CONVERSATIONS: [name: string, adapter: FormatAdapter, payload: () => JsonObject][] = [
  ['openai-chat', openaiChat, () => fixture('openai-chat/travel-desk.json')],
  ['openai-chat functions', openaiChat, () => fixture('openai-chat/functions.json')],
  ['anthropic-messages', anthropicMessages, () => fixture('anthropic-messages/code-review.json')],
  [
    'anthropic-messages server tools',
    anthropicMessages,
    () => fixture('anthropic-messages/server-tools.json'),
  ],
  ['neurolink', neurolink, () => fixture('neurolink/payments-session.json')],
  ['neurolink compacted', neurolink, () => fixture('neurolink/compacted-session.json')],
]

const messagesOf = (payload: JsonObject): JsonObject[] => payload.messages as JsonObject[]
function freeze(value: JsonValue): void {
  if (typeof value !== 'object' || value === null) return
  Object.freeze(value)
  for (const member of Object.values(value)) freeze(member)
}

describe.each(CONVERSATIONS)('writing %s', (_, adapter, load) => {
  it('returns the payload itself for an empty plan', () => {
    const payload = load()
    expect(adapter.write(payload, plan({}))).toBe(payload)
  })

  it('neither reading, checking nor writing touches the payload', () => {
    const payload = load()
    const before = JSON.stringify(payload)
    freeze(payload)
    const { entries } = read(adapter, payload)
    const part = entries[1]?.parts.findIndex(({ rewritable }) => rewritable) ?? -1
    adapter.check(payload)
    adapter.write(
      payload,
      plan({
        dropped: [0],
        replaced: part < 0 ? {} : { 1: { [part]: 'new' } },
        insertions: [marker(1)],
      }),
    )
    expect(JSON.stringify(payload)).toBe(before)
  })

  it('keeps untouched messages the very same objects, in order', () => {
    const payload = load()
    const written = adapter.write(payload, plan({ dropped: [1], insertions: [marker(1)] }))
    const [first, inserted, ...rest] = messagesOf(written)
    expect(first).toBe(messagesOf(payload)[0])
    expect(inserted).toMatchObject({ role: 'user', content: '[2 earlier messages]' })
    expect(rest).toHaveLength(messagesOf(payload).length - 2)
    for (const [index, message] of rest.entries())
      expect(message).toBe(messagesOf(payload)[index + 2])
  })

  it('keeps every other member of the payload, and the order of all', () => {
    const payload = load()
    const written = adapter.write(payload, plan({ dropped: [0] }))
    expect(Object.keys(written)).toEqual(Object.keys(payload))
    for (const name of Object.keys(payload)) {
      if (name !== 'messages') expect(written[name]).toBe(payload[name])
    }
  })

  it('has the tokens after it that replacing each rewritable part promises', () => {
    const payload = load()
    const { entries } = read(adapter, payload)
    for (const entry of entries) {
      for (const [index, part] of entry.parts.entries()) {
        if (!part.rewritable) continue
        const written = adapter.write(
          payload,
          plan({ replaced: { [entry.index]: { [index]: 'short' } } }),
        )
        const after = read(adapter, written)
        expect(totalTokens(after)).toBe(
          totalTokens(read(adapter, payload)) - part.tokens + countTokens('short'),
        )
        expect(after.entries[entry.index]?.parts[index]?.text).toBe('short')
        const others = messagesOf(written).filter(
          (message, at) => message !== messagesOf(payload)[at],
        )
        expect(others).toHaveLength(1)
      }
    }
  })

  it('refuses to rewrite a part that may not be, or that is not there', () => {
    const payload = load()
    const { entries } = read(adapter, payload)
    const entry = entries.find(({ parts }) =>
      parts.some(({ kind }) => kind === 'tool-call' || kind === 'opaque'),
    )
    const part =
      entry?.parts.findIndex(({ kind }) => kind === 'tool-call' || kind === 'opaque') ?? -1
    expect(() =>
      adapter.write(payload, plan({ replaced: { [entry?.index ?? 0]: { [part]: 'x' } } })),
    ).toThrow('cannot be rewritten')
    const tool = entries.find(({ role }) => role === 'assistant')?.index ?? 0
    if (adapter.id !== 'anthropic-messages') {
      expect(() => adapter.write(payload, plan({ replaced: { [tool]: { 99: 'x' } } }))).toThrow(
        'cannot be rewritten',
      )
    }
  })

  it('counts an insertion as what it becomes', () => {
    const payload = load()
    const end = messagesOf(payload).length
    const written = adapter.write(payload, plan({ insertions: [summary(0), marker(end)] }))
    const { entries } = read(adapter, written)
    const ours = [entries[0], entries.at(-1)].map((entry) =>
      entry === undefined ? 0 : entryTokens(entry),
    )
    expect(ours).toEqual([
      adapter.countInsertion('All said.', countTokens),
      adapter.countInsertion('[2 earlier messages]', countTokens),
    ])
  })

  it('keeps members named __proto__ and text that is no valid Unicode', () => {
    const payload = parse(
      JSON.stringify({ ...load(), x: { y: 1 } }).replace(
        '"x":{',
        '"x":{"__proto__":{"z":[]},"constructor":null,',
      ),
    )
    const lone = { role: 'user', content: 'half \ud83d of a pair' }
    messagesOf(payload).push(lone)
    const replaced = messagesOf(payload).length - 1
    const written = adapter.write(
      payload,
      plan({ replaced: { [replaced]: { 0: 'other \udc00 half' } } }),
    )
    const expected = {
      ...payload,
      messages: [...messagesOf(payload).slice(0, -1), messagesOf(written)[replaced]],
    }
    expect(JSON.stringify(written)).toBe(JSON.stringify(expected))
    expect(JSON.stringify(written)).toContain('"x":{"__proto__":{"z":[]},"constructor":null,"y":1}')
    expect(messagesOf(written)[replaced]?.content).toBe('other \udc00 half')
    expect(({} as JsonObject).z).toBeUndefined()
  })
})
