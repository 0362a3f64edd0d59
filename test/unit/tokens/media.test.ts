import { describe, expect, it } from 'vitest'
import { createMediaCounters } from '../../../src/tokens/media.ts'

const image = (model: string | undefined, width?: number, height?: number, detail?: string) =>
  createMediaCounters(model).countImage({
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(detail !== undefined && { detail }),
  })

describe('images of Claude models', () => {
  it.each([
    ['claude-sonnet-4-6', 200, 200, 64],
    ['claude-sonnet-4-6', 1000, 1000, 1296],
    ['claude-sonnet-4-6', 1092, 1092, 1521],
    ['claude-sonnet-4-6', 1928, 1928, 1521],
    ['claude-sonnet-4-6', 1109, 1109, 1521],
    ['claude-haiku-4-5-20251001', 1568, 728, 1456],
    ['claude-3-5-sonnet-20241022', 1928, 1928, 1521],
    ['claude-opus-4-20250514', 1928, 1928, 1521],
    ['claude-opus-4-8', 1928, 1928, 4761],
    ['anthropic/claude-opus-4.7', 3840, 2160, 4784],
    ['us.anthropic.claude-sonnet-5-v1:0', 1928, 1928, 4761],
    ['claude-fable-5-1', 1568, 728, 1456],
  ])('%s: %d by %d pixels are %d tokens, as documented', (model, width, height, tokens) => {
    expect(image(model, width, height)).toBe(tokens)
  })

  it('never cost more than the cap of their tier, whatever their shape', () => {
    for (const [model, cap] of [
      ['claude-sonnet-4-6', 1568],
      ['claude-opus-5', 4784],
    ] as const) {
      for (const [width, height] of [
        [8000, 8000],
        [1, 8000],
        [8000, 3],
        [1569, 1567],
        [29, 27],
      ] as const) {
        const tokens = image(model, width, height)
        expect(tokens).toBeGreaterThan(0)
        expect(tokens).toBeLessThanOrEqual(cap)
      }
    }
  })
})

describe('images of OpenAI models', () => {
  it.each([
    ['gpt-4o', 1024, 1024, 'high', 765],
    ['gpt-4o', 2048, 4096, undefined, 1105],
    ['gpt-4o', 4096, 8192, 'low', 85],
    ['gpt-4o', 6000, 1000, undefined, 765],
    ['gpt-4o-2024-11-20', 512, 512, undefined, 255],
    ['gpt-4o-mini', 512, 512, undefined, 8500],
    ['gpt-4.1', 1024, 1024, undefined, 765],
    ['gpt-4.1-mini', 1024, 1024, undefined, 1659],
    ['openai/gpt-4.1-mini', 1800, 2400, undefined, 2353],
    ['gpt-4.1-nano', 1024, 1024, undefined, 2520],
    ['o4-mini', 1024, 1024, undefined, 1762],
    ['o3', 1024, 1024, undefined, 675],
    ['gpt-5', 1024, 1024, undefined, 630],
    ['gpt-5.1-chat-latest', 1024, 1024, undefined, 630],
    ['gpt-5-mini', 1024, 1024, undefined, 1659],
    ['gpt-5.2', 4000, 4000, undefined, 1826],
    ['gpt-5.4', 4000, 4000, 'original', 12_000],
    ['gpt-5.4-nano', 1024, 1024, undefined, 2520],
    ['gpt-6', 1024, 1024, undefined, 1229],
    ['gpt-6', 4000, 4000, 'low', 308],
  ])('%s: %d by %d pixels at %s detail are %d tokens', (model, width, height, detail, tokens) => {
    expect(image(model, width, height, detail)).toBe(tokens)
  })
})

describe('images of other models', () => {
  it('are counted by tiles of 768 pixels for Gemini', () => {
    expect(image('gemini-2.5-pro', 384, 384)).toBe(258)
    expect(image('google/gemini-3-pro', 1920, 1080)).toBe(1548)
  })

  it('follow the provider of the format where the name says nothing', () => {
    expect(image('some-house-model', 1024, 1024)).toBe(765)
    expect(
      createMediaCounters('some-house-model', 'anthropic').countImage({
        width: 1024,
        height: 1024,
      }),
    ).toBe(1369)
    expect(createMediaCounters(undefined, 'google').countImage({ width: 100, height: 100 })).toBe(
      258,
    )
    expect(image('olmo-vision', 1024, 1024)).toBe(765)
  })
})

describe('media of unknown size', () => {
  it.each([
    ['gpt-4o', 765],
    ['claude-sonnet-4-6', 1369],
    ['gemini-2.5-flash', 1032],
  ])('%s: an image is taken for one of 1,024 by 1,024', (model, tokens) => {
    expect(image(model)).toBe(tokens)
    expect(image(model, 500)).toBe(tokens)
    expect(image(model, 0, Number.NaN)).toBe(tokens)
  })

  it('counts documents by their pages, else by their bytes, else as one page', () => {
    const { countDocument } = createMediaCounters('claude-sonnet-4-6')
    expect(countDocument({ pages: 4, bytes: 10 })).toBe(12_000)
    expect(countDocument({ bytes: 100_001 })).toBe(9000)
    expect(countDocument({})).toBe(3000)
    expect(createMediaCounters('gpt-4o').countDocument({ pages: 2 })).toBe(3000)
    expect(createMediaCounters('gemini-2.5-pro').countDocument({ pages: 2 })).toBe(516)
  })
})
