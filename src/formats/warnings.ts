import type { Warning } from '../engine/transcript.ts'

/** Most warnings of one code; a conversation of 100,000 orphans is told once, not 100,000 times. */
const MAX_PER_CODE = 20

export interface WarningCollector {
  readonly add: (code: string, message: string, pointer?: string) => void
  /** All of them, each code that was cut closed by one that says how many more there are. */
  readonly list: () => readonly Warning[]
}

export function createWarnings(): WarningCollector {
  const warnings: Warning[] = []
  const counts = new Map<string, number>()
  return {
    add: (code, message, pointer) => {
      const count = (counts.get(code) ?? 0) + 1
      counts.set(code, count)
      if (count > MAX_PER_CODE) return
      warnings.push(pointer === undefined ? { code, message } : { code, message, pointer })
    },
    list: () => {
      const cut = [...counts].filter(([, count]) => count > MAX_PER_CODE)
      return [
        ...warnings,
        ...cut.map(([code, count]) => ({
          code,
          message: `${count - MAX_PER_CODE} more of this kind are not listed`,
        })),
      ]
    },
  }
}
