/** LiteLLM adds a tool to every request that holds `hash=` and 24 digits: none of our texts may. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  clearedText,
  isPlaceholder,
  type MarkerStyle,
  markerText,
  mediaNote,
  parseMarker,
  receiptText,
  SUMMARY_PREFIX,
  supersededText,
  withoutRetrievalMarks,
} from '../../../src/engine/marker.ts'
import { headAndTail, omissionMark } from '../../../src/engine/text-cut.ts'
import type { Part } from '../../../src/engine/transcript.ts'

const MARK = /hash=[a-f0-9]{24}/
const HASH = 'hash=0123456789abcdef01234567'

const hostileName = fc
  .array(
    fc.oneof(
      fc.constantFrom(HASH, 'hash=', 'hash= ', '\t', ' ', '\n', 'hash\u2028='),
      fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 10, maxLength: 40 }),
      fc.string(),
    ),
    { maxLength: 6 },
  )
  .map((pieces) => pieces.join(''))

const part = (toolName: string, text: string): Part => ({
  kind: 'tool-result',
  text,
  tokens: 1,
  rewritable: true,
  toolName,
})

describe('every text that we put into a conversation', () => {
  it('holds no retrieval mark, whatever a tool is called and whatever it said', () => {
    fc.assert(
      fc.property(hostileName, hostileName, fc.boolean(), (name, said, isError) => {
        const receipt = receiptText({ ...part(name, said), isError })
        for (const text of [clearedText(name), receipt]) {
          expect(text).not.toMatch(MARK)
          expect(isPlaceholder(text) || text.length >= 300).toBe(true)
        }
      }),
      { numRuns: 2_000, seed: 20_261_130 },
    )
    expect(clearedText(HASH)).toContain('0123456789abcdef01234567')
  })

  it('holds none where it counts', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.constantFrom<MarkerStyle>('truncated', 'snipped'),
        (count, style) => {
          expect(markerText(count, style)).not.toMatch(MARK)
          expect(parseMarker(markerText(count, style))).toBe(count)
          expect(omissionMark(count)).not.toMatch(MARK)
          expect(mediaNote({ count, tokens: 1, bytes: 1, besideText: HASH })).not.toMatch(MARK)
        },
      ),
      { seed: 20_261_130 },
    )
    for (const what of ['read of the same file', 'identical result'] as const) {
      expect(supersededText(what)).not.toMatch(MARK)
    }
    expect(SUMMARY_PREFIX).not.toMatch(MARK)
  })

  it('makes none of two ends that had none', () => {
    const digits = '0123456789abcdef'.repeat(20)
    const text = `${'x'.repeat(100)}hash=g${'y'.repeat(500)}${digits}`
    for (let keep = 0; keep < text.length; keep += 1)
      expect(headAndTail(text, keep)).not.toMatch(MARK)
  })
})

describe('withoutRetrievalMarks', () => {
  it('parts every mark and nothing else', () => {
    fc.assert(
      fc.property(hostileName, (text) => {
        const clean = withoutRetrievalMarks(text)
        expect(clean).not.toMatch(MARK)
        expect(clean.replaceAll('hash: ', 'hash=')).toBe(text.replaceAll('hash: ', 'hash='))
      }),
      { seed: 20_261_130 },
    )
    for (const text of ['hash=', 'hash=0123', 'HASH=0123456789abcdef01234567', 'hash = 1']) {
      expect(withoutRetrievalMarks(text)).toBe(text)
    }
  })
})
