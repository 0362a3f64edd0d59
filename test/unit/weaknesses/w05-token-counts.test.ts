/** W5: theirs estimates 2 to 4 times too low on CJK, base64, logs and emoji, and takes an image for its base64. */
import { describe, expect, it } from 'vitest'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { JsonObject } from '../../../src/engine/transcript.ts'
import { base64, png } from '../formats/sample-media.ts'
import { compactWith, servicesWith, user } from '../seeds/support.ts'
import { referenceCount } from '../tokens/reference-encodings.ts'
import { RESCUE_TEXTS } from './rescue-texts.ts'

const lines = (line: (index: number) => string): string =>
  Array.from({ length: 60 }, (_, index) => line(index)).join('\n')

const TEXTS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(RESCUE_TEXTS).map(([kind, make]) => [kind, make(4_000)])),
  Japanese: '再試行は五回まで、最初の待ち時間は二百ミリ秒です。'.repeat(60),
  Korean: '재시도는 다섯 번까지, 처음 대기 시간은 200밀리초입니다. '.repeat(60),
  'service logs': lines(
    (index) =>
      `2026-03-01T09:14:${index}.201Z WARN [worker-${index}] job=${index * 8842} took 1503ms`,
  ),
  UUIDs: lines((index) => `${(index * 0x9e3779b1).toString(16)}-4f1a-9c2b-88d1-a0b1c2d3e4f5`),
  'numbers in columns': lines((index) => `${index},${index * 17.3},${index ** 3},0.000${index}`),
  'indented lines': lines((index) => `        return value${index}`),
  '8,000 spaces': ' '.repeat(8_000),
  '2,000 newlines': '\n'.repeat(2_000),
}

describe('W5: the count of a text is that of the reference tokeniser', () => {
  it.each(Object.entries(TEXTS))('for %s', (_, text) => {
    const { counters } = servicesWith()
    for (const [model, encoding] of [
      ['gpt-4o', 'o200k_base'],
      ['gpt-4', 'cl100k_base'],
    ] as const) {
      const counter = counters.forModel(model)
      expect(counter.estimated).toBe(false)
      expect(counter.countTokens(text)).toBe(referenceCount(encoding, text))
    }
  })

  it.each(Object.entries(TEXTS))(
    'or not below it for a model whose own is not public: %s',
    (_, text) => {
      const counter = servicesWith().counters.forModel('claude-sonnet-4')
      expect(counter.estimated).toBe(true)
      expect(counter.countTokens(text)).toBeGreaterThanOrEqual(referenceCount('o200k_base', text))
    },
  )
})

describe('W5: an image of a megabyte', () => {
  const data = base64(png(1_092, 1_092, 1 << 20))

  const image: Record<string, JsonObject> = {
    'openai-chat': { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
    'anthropic-messages': {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data },
    },
    neurolink: { type: 'image', image: data, mediaType: 'image/png' },
  }

  it.each(Object.keys(image))('is counted by its dimensions in %s', async (format) => {
    expect(data.length).toBeGreaterThan(1_390_000)
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'What is this?' }, image[format] ?? {}] },
      { role: 'assistant', content: 'A lantern.' },
      user('And its colour?'),
    ]
    const request = { format, messages } as CompactRequest
    const { report, messages: returned } = await compactWith({ ...request, targetTokens: 4_000 })
    expect(report.tokensBefore).toBeGreaterThan(700)
    expect(report.tokensBefore).toBeLessThan(2_000)
    expect(report.fits).toBe(true)
    expect(returned).toBe(messages)
  })
})
