import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { neurolink } from '../../../src/formats/neurolink/index.ts'
import { openaiChat } from '../../../src/formats/openai-chat/index.ts'
import { fixture, marker, plan, summary } from './support.ts'

const messagesOf = (payload: JsonObject): JsonObject[] => payload.messages as JsonObject[]

describe('writing insertions', () => {
  it('puts them before the entry they name, several in a row, and last', () => {
    const payload = { messages: ['a', 'b', 'c'].map((content) => ({ role: 'user', content })) }
    const written = openaiChat.write(
      payload,
      plan({ dropped: [0, 1], insertions: [marker(3), summary(0), marker(0)] }),
    )
    expect(messagesOf(written).map(({ content }) => content)).toEqual([
      'All said.',
      '[2 earlier messages]',
      'c',
      '[2 earlier messages]',
    ])
  })

  it('gives neurolink messages ids that follow from what they stand for', () => {
    const payload = fixture('neurolink/payments-session.json')
    const written = messagesOf(
      neurolink.write(payload, plan({ dropped: [1, 2], insertions: [summary(1), marker(3)] })),
    )
    expect(written[1]).toEqual({
      id: 'summary-m-02-m-04',
      role: 'user',
      content: 'All said.',
      metadata: { isSummary: true, summarizesFrom: 'm-02', summarizesTo: 'm-04' },
    })
    expect(written[2]).toEqual({
      id: 'truncation-marker-2',
      role: 'user',
      content: '[2 earlier messages]',
      isTruncationMarker: true,
    })
  })

  it('gives a neurolink insertion an id that no kept message has', () => {
    const used = { id: 'truncation-marker-2', role: 'user', content: 'x' }
    const next = { id: 'truncation-marker-2-2', role: 'user', content: 'y' }
    const payload = { messages: [used, next] }
    const ids = (dropped: number[]) =>
      messagesOf(neurolink.write(payload, plan({ dropped, insertions: [marker(2)] }))).map(
        ({ id }) => id,
      )
    expect(ids([])).toEqual([
      'truncation-marker-2',
      'truncation-marker-2-2',
      'truncation-marker-2-3',
    ])
    expect(ids([0])).toEqual(['truncation-marker-2-2', 'truncation-marker-2'])
  })

  it('names a neurolink summary by its count where the covered messages have no ids', () => {
    const { coversFrom: _from, coversTo: _to, ...bare } = summary(0)
    expect(messagesOf(neurolink.write({ messages: [] }, plan({ insertions: [bare] })))[0]).toEqual({
      id: 'summary-3',
      role: 'user',
      content: 'All said.',
      metadata: { isSummary: true },
    })
  })
})

describe('writing texts', () => {
  it('leaves a string a string, and the other members of a block where they are', () => {
    const block = { cache_control: { type: 'ephemeral' }, type: 'text', text: 'long', x: 1 }
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } }
    const payload = {
      messages: [
        { name: 'n', content: 'long', role: 'user' },
        { role: 'user', content: [image, block] },
      ],
    }
    const written = openaiChat.write(payload, plan({ replaced: { 0: { 0: 's' }, 1: { 1: 's' } } }))
    expect(JSON.stringify(written)).toBe(JSON.stringify(payload).replaceAll('"long"', '"s"'))
    const [, second] = messagesOf(written) as unknown as { content: JsonValue[] }[]
    expect(second?.content[0]).toBe(image)
  })

  it('clears a tool result with its images, and keeps its id, its error and its cache breakpoint', () => {
    const payload = fixture('anthropic-messages/code-review.json')
    const written = messagesOf(
      anthropicMessages.write(payload, plan({ replaced: { 2: { 0: 'cleared', 2: 'failed' } } })),
    )
    expect(written[2]?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'toolu_01ShotCart',
        content: [{ type: 'text', text: 'cleared', cache_control: { type: 'ephemeral' } }],
      },
      expect.objectContaining({ tool_use_id: 'toolu_01ReadCart' }),
      { type: 'tool_result', tool_use_id: 'toolu_01ReadTax', is_error: true, content: 'failed' },
      { type: 'text', text: 'Take your time.' },
    ])
  })

  it('clears a tool result that is only an image', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
    const content = [{ type: 'tool_result', tool_use_id: 'a', content: [image] }]
    const written = anthropicMessages.write(
      { messages: [{ role: 'user', content }] },
      plan({ replaced: { 0: { 0: 'gone' } } }),
    )
    expect(messagesOf(written)[0]?.content).toEqual([
      { type: 'tool_result', tool_use_id: 'a', content: 'gone' },
    ])
  })

  it('says in a neurolink message that its text is not the whole, and keeps the rest', () => {
    const payload = fixture('neurolink/payments-session.json')
    const written = messagesOf(
      neurolink.write(
        payload,
        plan({ replaced: { 5: { 0: 'cleared' }, 6: { 0: 'c', 1: 'e' }, 8: { 0: 't' } } }),
      ),
    )
    expect(written[5]).toEqual({
      ...messagesOf(payload)[5],
      content: 'cleared',
      metadata: { truncated: true },
    })
    expect(written[6]).toEqual({
      ...messagesOf(payload)[6],
      content: 'c',
      result: { success: false, error: 'e' },
      metadata: { originalSize: 120000, artifactId: 'a-17', truncated: true },
    })
    expect(written[8]).toEqual({
      ...messagesOf(payload)[8],
      content: 't',
      metadata: { truncated: true },
    })
  })

  it('lets a drop win over a replacement, and ignores an empty one', () => {
    const payload = {
      messages: [
        { role: 'user', content: 'a' },
        { role: 'user', content: 'b' },
      ],
    }
    const written = openaiChat.write(
      payload,
      plan({ dropped: [0], replaced: { 0: { 0: 'x' }, 1: {} } }),
    )
    expect(messagesOf(written)).toHaveLength(1)
    expect(messagesOf(written)[0]).toBe(payload.messages[1])
  })
})
