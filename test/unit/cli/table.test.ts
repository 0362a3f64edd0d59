import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Column, renderTable } from '../../../src/cli/report/table.ts'
import { textWidth, wrapText } from '../../../src/cli/report/text-width.ts'

const COLUMNS: readonly Column[] = [
  { title: 'name' },
  { title: 'count', align: 'right' },
  { title: 'note', minWidth: 8, wraps: true, dropOrder: 1 },
  { title: 'kind', dropOrder: 2 },
]

const rowsOf = (...cells: readonly (readonly string[])[]) => cells.map((row) => ({ cells: row }))

describe('renderTable', () => {
  test('words begin and numbers end at the same column', () => {
    expect(
      renderTable(COLUMNS, rowsOf(['a', '1', 'x', 'k'], ['long', '1,000', '', 'k']), { width: 80 }),
    ).toEqual([
      'name  count  note  kind',
      '────  ─────  ────  ────',
      'a         1  x     k',
      'long  1,000        k',
    ])
  })

  test('a column in which nothing stands is left out', () => {
    expect(renderTable(COLUMNS, rowsOf(['a', '1', '', '']), { width: 80 })[0]).toBe('name  count')
  })

  test('a text that has no room goes on below, broken at spaces', () => {
    expect(
      renderTable(COLUMNS, rowsOf(['a', '1', 'one two three four', '']), { width: 25 }).slice(2),
    ).toEqual(['a         1  one two', '             three four'])
  })

  test('where there is still no room, columns go by their order', () => {
    const rows = rowsOf(['a', '1', 'one two three four', 'kind of thing'])
    expect(renderTable(COLUMNS, rows, { width: 30 })[0]).toBe('name  count  note')
    expect(renderTable(COLUMNS, rows, { width: 15 })[0]).toBe('name  count')
  })

  test('no line is wider than asked for, whatever the cells', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 5 }), {
          maxLength: 6,
        }),
        fc.integer({ min: 10, max: 120 }),
        (cells, width) => {
          for (const line of renderTable(COLUMNS, rowsOf(...cells), { width })) {
            expect(textWidth(line)).toBeLessThanOrEqual(width)
          }
        },
      ),
      { seed: 20_261_130 },
    )
  })

  test('what would steer the terminal is not passed on', () => {
    const [, , line = ''] = renderTable(COLUMNS, rowsOf(['\u001b[2Ja\nb\u202ec', '1']), {
      width: 80,
    })
    expect(line).toMatch(/^�\[2Ja�b�c/)
  })

  test('styles wrap whole lines', () => {
    const rows = [{ cells: ['a', '1'], style: 'green' as const }]
    const lines = renderTable(COLUMNS, rows, { width: 80, paint: (style, t) => `<${style}>${t}` })
    expect(lines.map((line) => line.split('>')[0])).toEqual(['<bold', '<dim', '<green'])
  })
})

test('wrapText keeps every word and breaks only those that are longer than a line', () => {
  expect(wrapText('a bb ccccccc dd', 4)).toEqual(['a bb', 'cccc', 'ccc', 'dd'])
  expect(wrapText('', 4)).toEqual([''])
})
