import type { JudgedCase, Turn } from '../../../eval/lib/labelled-case.ts'

/** A turn by its need and its scores; the recent window is what has no score. */
export interface TurnSpec {
  readonly score?: number | 'unanswered'
  readonly needed?: boolean
  /** Characters; tokens are a quarter of them, rounded up, and 4. */
  readonly length?: number
}

export function judged(specs: readonly TurnSpec[], conversation = 'one'): JudgedCase {
  const turns = specs.map(
    ({ needed = false, length = 24 }): Turn => ({ role: 'user', text: 'x'.repeat(length), needed }),
  )
  const scores = specs
    .filter(({ score }) => score !== undefined)
    .map(({ score }) => (typeof score === 'number' ? score : undefined))
  return { labelled: { conversation, request: 'what', turns }, scores }
}
