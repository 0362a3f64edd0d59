/** A limit in bytes beside the tokens: a picture is few tokens and many bytes. */
import { describe, expect, it } from 'vitest'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { JsonObject, JsonValue } from '../../../src/engine/transcript.ts'
import { newFaults } from '../../helpers/wire-rules/index.ts'
import { base64, png } from '../formats/sample-media.ts'
import { compactWith } from '../seeds/support.ts'

const PICTURE_BYTES = 60_000
const picture = (number: number): string => base64(png(320, 200 + number, (PICTURE_BYTES * 3) / 4))

const seen = (number: number): JsonObject => ({
  role: 'user',
  content: [
    { type: 'text', text: `Picture ${number} "quoted"\nas a note.` },
    { type: 'image_url', image_url: { url: `data:image/png;base64,${picture(number)}` } },
  ],
})
const said = (role: string, content: string): JsonObject => ({ role, content })

const shot = (number: number): JsonObject[] => [
  {
    role: 'assistant',
    content: [{ type: 'tool_use', id: `toolu_${number}`, name: 'screenshot', input: {} }],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool_result',
        tool_use_id: `toolu_${number}`,
        content: [
          { type: 'text', text: `Window ${number} is open.` },
          {
            type: 'image',
            source: { type: 'base64', media_type: 'image/png', data: picture(number) },
          },
        ],
      },
    ],
  },
]

const ALBUM: JsonObject[] = [
  said('user', 'Describe the pictures that follow.'),
  said('assistant', 'Go on.'),
  ...Array.from({ length: 12 }, (_, number) => [
    seen(number),
    said('assistant', `A picture, number ${number}.`),
  ]).flat(),
  ...Array.from({ length: 4 }, (_, number) => [
    said('user', `Question ${number}?`),
    said('assistant', `Answer ${number}.`),
  ]).flat(),
]

const SCREENSHOTS: JsonObject[] = [
  said('user', 'Open the window.'),
  ...Array.from({ length: 10 }, (_, number) => shot(number)).flat(),
  said('assistant', 'It is open.'),
  said('user', 'And close it.'),
]

const run = (messages: JsonObject[], request: Partial<CompactRequest>) =>
  compactWith({ messages, format: 'openai-chat', targetTokens: 1_000_000, ...request })

const bytesOf = (value: JsonValue | readonly JsonValue[]): number =>
  Buffer.byteLength(JSON.stringify(value))

const pictures = (messages: readonly JsonValue[]): number =>
  JSON.stringify(messages).split('iVBOR').length - 1

describe('a conversation over its limit in bytes alone', () => {
  it('loses as many of its oldest pictures as the limit asks for, and no other message', async () => {
    const maxBytes = 300_000
    const result = await run(ALBUM, { maxBytes })
    expect(result.report).toMatchObject({ outcome: 'compacted', fits: true })
    expect(bytesOf(result.messages)).toBeLessThanOrEqual(maxBytes)
    // One more picture would have been too much.
    expect(bytesOf(result.messages)).toBeGreaterThan(maxBytes - PICTURE_BYTES - 1_000)
    const gone = result.report.actions.filter(({ action }) => action === 'dropped')
    expect(gone.length).toBeGreaterThan(0)
    // The oldest went, and with each the answer about it.
    expect(gone.map(({ index }) => index)).toEqual(gone.map((_, position) => 1 + position))
    expect(newFaults('openai-chat', { messages: ALBUM }, { messages: result.messages })).toEqual([])
  })

  it('keeps every message where old media may become notes', async () => {
    const result = await run(ALBUM, { maxBytes: 300_000, options: { prune: { media: true } } })
    expect(result.report).toMatchObject({ fits: true, stagesUsed: ['prune'] })
    expect(result.messages).toHaveLength(ALBUM.length)
    expect(bytesOf(result.messages)).toBeLessThanOrEqual(300_000)
    expect(pictures(result.messages)).toBe(4)
    expect(result.messages[2]).toEqual({
      role: 'user',
      content: [
        { type: 'text', text: 'Picture 0 "quoted"\nas a note.' },
        { type: 'text', text: '[An old attachment was removed]' },
      ],
    })
    expect(result.report.actions.map(({ reason }) => reason)).toEqual(Array(8).fill('old-media'))
  })

  it('keeps what a tool said beside its pictures', async () => {
    const result = await run(SCREENSHOTS, {
      format: 'anthropic-messages',
      maxBytes: 300_000,
      options: { prune: { media: true } },
    })
    expect(result.report.fits).toBe(true)
    expect(result.messages[2]).toMatchObject({
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_0',
          content: [{ type: 'text', text: 'Window 0 is open.\n[An old attachment was removed]' }],
        },
      ],
    })
    expect(pictures(result.messages)).toBe(4)
  })

  it('has its tokens left alone by the stages that work on text', async () => {
    const { report } = await run(ALBUM, { maxBytes: 300_000 })
    const status = Object.fromEntries(report.stages.map((stage) => [stage.stage, stage.status]))
    expect(status).toMatchObject({
      relevance: 'not-needed',
      deduplicate: 'not-needed',
      summarize: 'not-needed',
      truncate: 'applied',
    })
  })
})

describe('the bytes that a run reports', () => {
  it.each([
    ['drops', {}],
    ['notes', { prune: { media: true } }],
    ['clears results', { prune: { protectTokens: 0, minimumSavings: 0 } }],
  ])(
    'are those that came, and never fewer than those that go, when it %s',
    async (_case, options) => {
      for (const messages of [ALBUM, SCREENSHOTS]) {
        for (const maxBytes of [700_000, 500_000, 250_000, 100_000]) {
          const { report, messages: after } = await run(messages, { maxBytes, options })
          const { bytes } = report
          expect(bytes?.before).toBe(bytesOf(messages))
          expect(bytesOf(after)).toBeLessThanOrEqual(bytes?.after ?? 0)
          expect(report.fits).toBe((bytes?.after ?? 0) <= maxBytes)
          if (report.fits) expect(bytesOf(after)).toBeLessThanOrEqual(maxBytes)
        }
      }
    },
  )

  it('are none where no limit was asked for', async () => {
    expect((await run(ALBUM, {})).report.bytes).toBeUndefined()
  })
})

describe('a limit that what is pinned is over by itself', () => {
  it('changes nothing, and says so with the floor', async () => {
    const messages = [
      ...ALBUM.slice(0, 2),
      seen(99),
      said('assistant', 'Hm.'),
      said('user', 'And?'),
    ]
    const { report, messages: after } = await run(messages, { maxBytes: 1_000 })
    expect(report).toMatchObject({ outcome: 'unchanged', fits: false })
    expect(report.bytes?.floor).toBeGreaterThan(PICTURE_BYTES)
    expect(report.warnings.map(({ code }) => code)).toContain('byte-budget-unreachable')
    expect(after).toEqual(messages)
  })
})

describe('media as a matter of tokens', () => {
  it('become notes before any tool output is cleared', async () => {
    const { report } = await run(SCREENSHOTS, {
      format: 'anthropic-messages',
      targetTokens: 900,
      options: { prune: { media: true, protectTokens: 0, minimumSavings: 0 }, protectRecent: 2 },
    })
    expect(report.fits).toBe(true)
    expect(report.actions.map(({ reason }) => reason)).toContain('old-media')
    expect(report.stagesUsed).toEqual(['prune'])
  })

  it('stay as they are unless it is asked for', async () => {
    const { report } = await run(SCREENSHOTS, {
      format: 'anthropic-messages',
      targetTokens: 900,
      options: { protectRecent: 2 },
    })
    expect(report.actions.map(({ reason }) => reason)).not.toContain('old-media')
  })
})
