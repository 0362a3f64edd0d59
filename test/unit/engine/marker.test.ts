import { describe, expect, it } from 'vitest'
import {
  clearedText,
  isPlaceholder,
  markerText,
  parseMarker,
  receiptText,
  supersededText,
} from '../../../src/engine/marker.ts'
import type { Part } from '../../../src/engine/transcript.ts'

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
    [undefined, '[Tool result cleared]'],
    ['', '[Tool result cleared]'],
    ['grep', '[Tool result cleared: grep]'],
  ])('names the tool that it has (%s)', (tool, text) => {
    expect(clearedText(tool)).toBe(text)
  })
})

describe('receiptText', () => {
  const result = (text: string, extra: Partial<Part> = {}): Part => ({
    kind: 'tool-result',
    text,
    tokens: 9,
    rewritable: true,
    toolName: 'run_tests',
    isError: false,
    ...extra,
  })

  it.each([
    ['a\nb\nc', '[run_tests: ok, 3 lines, cleared as not needed]'],
    ['a\nb\n', '[run_tests: ok, 2 lines, cleared as not needed]'],
    ['a\r\n\r\nb', '[run_tests: ok, 3 lines, cleared as not needed]'],
    ['{"a":1}', '[run_tests: ok, 7 characters, cleared as not needed]'],
    ['one line\n', '[run_tests: ok, 9 characters, cleared as not needed]'],
    ['x', '[run_tests: ok, 1 character, cleared as not needed]'],
    ['', '[run_tests: ok, 0 characters, cleared as not needed]'],
  ])('tells the tool, the outcome and the size of %j', (text, receipt) => {
    expect(receiptText(result(text))).toBe(receipt)
  })

  it('says of a call that failed that it did', () => {
    expect(receiptText(result('x\ny', { isError: true }))).toBe(
      '[run_tests: error, 2 lines, cleared as not needed]',
    )
  })

  it('claims no outcome of a call of which the payload says none', () => {
    const { isError: _, ...unsaid } = result('2 failed\n1 passed')
    const receipt = receiptText(unsaid)
    expect(receipt).toBe('[run_tests: returned, 2 lines, cleared as not needed]')
    expect(isPlaceholder(receipt)).toBe(true)
  })

  it.each([
    ['', 'tool result'],
    [' \n ', 'tool result'],
    ['two\nlines', 'two lines'],
    ['n'.repeat(500), 'n'.repeat(80)],
    [`${'n'.repeat(79)}\u{1f600}`, 'n'.repeat(79)],
    ['a: ok] [b', 'a: ok] [b'],
  ])('is one line that is recognised, whatever the name (%j)', (toolName, shown) => {
    const receipt = receiptText(result('x', { toolName }))
    expect(receipt).toBe(`[${shown}: ok, 1 character, cleared as not needed]`)
    expect(isPlaceholder(receipt)).toBe(true)
  })
})

describe('isPlaceholder', () => {
  it('knows every placeholder that it writes', () => {
    const written = [
      clearedText('grep'),
      clearedText(undefined),
      supersededText('read of the same file'),
      supersededText('identical result'),
      receiptText({ kind: 'tool-result', text: 'a\nb', tokens: 2, rewritable: true }),
      // As versions before the receipts have written it.
      '[Tool result cleared: grep, succeeded, 80 tokens]',
    ]
    expect(written.every(isPlaceholder)).toBe(true)
  })

  it('knows no ordinary output, and no long text that begins like one', () => {
    expect(isPlaceholder('exit 0')).toBe(false)
    expect(isPlaceholder(`${clearedText('grep')}${' and then'.repeat(50)}`)).toBe(false)
    expect(isPlaceholder(`log: ${clearedText('grep')}`)).toBe(false)
  })

  it.each([
    'log: [grep: ok, 2 lines, cleared as not needed]',
    '[grep: ok, 2 lines, cleared as not needed] and more',
    '[grep: ok, 2 lines, cleared as not needed]\n',
    '[grep: fine, 2 lines, cleared as not needed]',
    '[: ok, 2 lines, cleared as not needed]',
    '[grep: ok, two lines, cleared as not needed]',
  ])('takes nothing that only resembles a receipt for one (%j)', (text) => {
    expect(isPlaceholder(text)).toBe(false)
  })
})
