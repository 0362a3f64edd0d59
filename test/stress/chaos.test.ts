/** P7, and what the proxy promises: whatever the others do, under load, and well again after it. */
import { describe, expect, it } from 'vitest'
import { nameOf, runCell, SHORT_CELLS, SHORT_PACE } from '../../stress/chaos/cells.ts'

/** A cell takes ten seconds, and ten more for an open breaker; the rest is for a busy machine. */
const CELL_MS = 240_000

describe.concurrent('a dependency that fails under load costs no caller an answer', () => {
  it.each(SHORT_CELLS.map((cell) => [nameOf(cell), cell] as const))(
    '%s',
    { timeout: CELL_MS },
    async (_name, cell) => {
      const result = await runCell(cell, SHORT_PACE)
      expect(result.violations).toEqual([])
      expect(result.promisedShare).toBe(1)
      expect(Math.min(...result.requests)).toBeGreaterThanOrEqual(SHORT_PACE.callers)
      expect(result.seen.size).toBeGreaterThan(0)
    },
  )
})
