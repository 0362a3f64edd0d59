import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { anthropicMessages } from '../../../src/formats/anthropic-messages/index.ts'
import { openaiChat } from '../../../src/formats/openai-chat/index.ts'
import { cached, result, text, user } from './anthropic-blocks.ts'
import { plan } from './support.ts'

const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } }
const other = { ...text, text: 'other' }

function clearResult(content: JsonValue[]): JsonValue | undefined {
  const payload = { messages: [user([{ ...result('a'), content }])] }
  const written = anthropicMessages.write(payload, plan({ replaced: { 0: { 0: 'gone' } } }))
  const [message] = written.messages as { content: JsonObject[] }[]
  return message?.content[0]?.content
}

describe('clearing a tool result', () => {
  it.each<[string, JsonObject[], JsonValue]>([
    ['on the first text', [cached(text), other], [cached({ ...text, text: 'gone' })]],
    ['on another text', [text, cached(other)], [cached({ ...text, text: 'gone' })]],
    ['on an image', [text, cached(image, '1h')], [cached({ ...text, text: 'gone' }, '1h')]],
    ['on an image alone', [cached(image)], [cached({ ...text, text: 'gone' })]],
    [
      'on an image and on a text, of which only one can stay',
      [cached(image, '1h'), cached(text)],
      [cached({ ...text, text: 'gone' })],
    ],
    ['nowhere', [image, text], [{ ...text, text: 'gone' }]],
    [
      'nowhere, switched off on an image',
      [{ ...image, cache_control: null }, text],
      [{ ...text, text: 'gone' }],
    ],
  ])('keeps a breakpoint that stood %s', (_, content, expected) => {
    expect(clearResult(content)).toEqual(expected)
  })

  it('keeps the breakpoint of the result itself', () => {
    const payload = { messages: [user([cached(result('a'))])] }
    const written = anthropicMessages.write(payload, plan({ replaced: { 0: { 0: 'gone' } } }))
    expect(written.messages).toEqual([user([cached({ ...result('a'), content: 'gone' })])])
  })

  it("keeps OpenAI's breakpoints too", () => {
    const parts = [text, { ...other, prompt_cache_breakpoint: { mode: 'explicit' } }]
    const payload = { messages: [{ role: 'tool', tool_call_id: 'a', content: parts }] }
    const written = openaiChat.write(payload, plan({ replaced: { 0: { 0: 'gone' } } }))
    expect(written.messages).toEqual([
      {
        role: 'tool',
        tool_call_id: 'a',
        content: [{ ...text, text: 'gone', prompt_cache_breakpoint: { mode: 'explicit' } }],
      },
    ])
  })
})
