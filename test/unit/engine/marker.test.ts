import { describe, expect, it } from 'vitest'
import {
  clearedText,
  isPlaceholder,
  markerText,
  parseMarker,
  supersededText,
} from '../../../src/engine/marker.ts'

describe('parseMarker', () => {
  it.each([1, 2, 23, 999_999])('reads back the count of its own markers (%d)', (count) => {
    expect(parseMarker(markerText(count))).toBe(count)
    expect(parseMarker(markerText(count, 'snipped'))).toBe(count)
  })

  it('knows the marker that carries no count as 0', () => {
    const text = '[Earlier conversation history was truncated to fit within context limits]'
    expect(parseMarker(text)).toBe(0)
  })

  it.each([
    ['a quotation', `Why do I see "${markerText(3)}"?`],
    ['a line of a longer text', `${markerText(3)}\nand so on`],
    ['a trailing line break', `${markerText(3)}\n`],
    ['a negative count', '[-3 earlier messages truncated to fit the context window]'],
    ['no count', '[ earlier messages truncated to fit the context window]'],
    ['another reason', '[3 earlier messages lost at sea]'],
    ['too many digits', markerText(3).replace('3', '9'.repeat(16))],
    ['a long text', `[${'1'.repeat(200)}`],
    ['nothing', ''],
  ])('takes %s for no marker', (_, text) => {
    expect(parseMarker(text)).toBeUndefined()
  })

  it('says message of one and messages of several', () => {
    expect(markerText(1)).toBe('[1 earlier message truncated to fit the context window]')
    expect(markerText(2, 'snipped')).toBe('[2 earlier messages snipped for context efficiency]')
  })
})

describe('clearedText', () => {
  it.each([
    [undefined, undefined, '[Tool result cleared]'],
    ['', '', '[Tool result cleared]'],
    ['grep', undefined, '[Tool result cleared: grep]'],
    ['grep', 'failed, 3 tokens', '[Tool result cleared: grep, failed, 3 tokens]'],
    [undefined, 'failed', '[Tool result cleared: failed]'],
  ])('names the tool and the detail that it has (%s, %s)', (tool, detail, text) => {
    expect(clearedText(tool, detail)).toBe(text)
  })
})

describe('isPlaceholder', () => {
  it('knows every placeholder that it writes', () => {
    const written = [
      clearedText('grep'),
      clearedText(undefined),
      supersededText('read of the same file'),
      supersededText('identical result'),
    ]
    expect(written.every(isPlaceholder)).toBe(true)
  })

  it('knows no ordinary output, and no long text that begins like one', () => {
    expect(isPlaceholder('exit 0')).toBe(false)
    expect(isPlaceholder(`${clearedText('grep')}${' and then'.repeat(50)}`)).toBe(false)
    expect(isPlaceholder(`log: ${clearedText('grep')}`)).toBe(false)
  })
})
