import { describe, expect, test } from 'vitest'
import { costAims, readTables } from '../../../eval/measurements/embedded-cost.ts'

const OUTPUT = `Node.js v20, 2 cores

### CPU of one call, ms: few words

| messages | count | cold / count | warm / count |
|---|---|---|---|
| 200 | 2.00 | 1.50 | 0.51 |
| 300 | 3.00 | 1.51 | 0.50 |

### A fresh process

| memory, MB |
|---|
| 5.2 |
`

describe('readTables', () => {
  test('reads each table under its heading', () => {
    expect(readTables(OUTPUT)).toEqual([
      {
        title: 'CPU of one call, ms: few words',
        columns: ['messages', 'count', 'cold / count', 'warm / count'],
        rows: [
          ['200', '2.00', '1.50', '0.51'],
          ['300', '3.00', '1.51', '0.50'],
        ],
      },
      { title: 'A fresh process', columns: ['memory, MB'], rows: [['5.2']] },
    ])
  })
})

describe('costAims', () => {
  test('holds every ratio to its bound', () => {
    const aims = costAims(readTables(OUTPUT))
    expect(aims.map(({ measured, aim, met }) => [measured, aim, met])).toEqual([
      ['1.50', 'at most 1.5', true],
      ['1.51', 'at most 1.5', false],
      ['0.51', 'at most 0.5', false],
      ['0.50', 'at most 0.5', true],
    ])
    expect(aims[0]?.what).toContain('200 messages')
  })

  test('refuses output without a ratio, and takes no number for a miss', () => {
    expect(() => costAims(readTables('### Other\n\n| a |\n|---|\n| 1 |\n'))).toThrow('no ratios')
    const broken = '### T\n\n| messages | cold / count |\n|---|---|\n| 200 | - |\n'
    expect(costAims(readTables(broken))[0]?.met).toBe(false)
  })
})
