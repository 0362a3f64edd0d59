import { describe, expect, test, vi } from 'vitest'
import { findPreviewLength } from '../../../src/decide/preview-length.ts'

const upTo = (limit: number) => (chars: number) => chars <= limit

describe('the length of previews', () => {
  test('is the longest there is where that is good', () => {
    expect(findPreviewLength(160, upTo(5_000), upTo(5_000))).toBe(1_200)
  })

  test('is none where the floor is too long', () => {
    expect(findPreviewLength(160, upTo(159), upTo(5_000))).toBe(undefined)
  })

  test('is near the longest good one where the estimate is right', () => {
    const length = findPreviewLength(160, upTo(700), upTo(700))
    expect(length).toBeGreaterThan(660)
    expect(length).toBeLessThanOrEqual(700)
  })

  test.each([180, 400, 900, 1_199])(
    'is good even where the estimate says too much (%i)',
    (limit) => {
      expect(findPreviewLength(160, upTo(limit), upTo(5_000))).toBeLessThanOrEqual(limit)
    },
  )

  test('grows when the estimate has learned from a count', () => {
    let known = 300
    const good = (chars: number) => {
      if (chars > 160) known = 800
      return chars <= 800
    }
    expect(findPreviewLength(160, good, (chars) => chars <= known)).toBeGreaterThan(740)
  })

  test('takes few counts', () => {
    const good = vi.fn(upTo(500))
    findPreviewLength(160, good, upTo(5_000))
    expect(good.mock.calls.length).toBeLessThanOrEqual(5)
  })
})
