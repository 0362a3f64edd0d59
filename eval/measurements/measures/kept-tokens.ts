import { type JudgedCase, turnTokens } from '../../lib/labelled-case.ts'

export interface Kept {
  /** Share of the needed turns that stay. */
  readonly needed: number
  /** Whether all of them stay. */
  readonly complete: boolean
}

/**
 * What stays of the needed turns when the recent window stays and the rest is filled greedily, best
 * score first, up to `share` of the tokens. A turn that does not fit is passed over; ties go to the
 * newest. What was not answered stays before all that was.
 */
export function keptTokens({ labelled, scores }: JudgedCase, share: number): Kept {
  const { turns } = labelled
  const sizes = turns.map(({ text }) => turnTokens(text))
  let left = share * sizes.reduce((sum, size) => sum + size, 0)
  const kept = new Set<number>()
  for (let index = scores.length; index < turns.length; index += 1) {
    left -= sizes[index]!
    kept.add(index)
  }
  const worth = (index: number): number => scores[index] ?? Number.POSITIVE_INFINITY
  const order = [...scores.keys()].sort((a, b) =>
    worth(a) === worth(b) ? b - a : worth(b) - worth(a),
  )
  for (const index of order) {
    if (sizes[index]! > left) continue
    left -= sizes[index]!
    kept.add(index)
  }
  return keptOf(labelled.turns, (index) => kept.has(index))
}

export function keptOf(
  turns: JudgedCase['labelled']['turns'],
  isKept: (index: number) => boolean,
): Kept {
  const needed = [...turns.keys()].filter((index) => turns[index]!.needed)
  const found = needed.filter(isKept).length
  return { needed: found / needed.length, complete: found === needed.length }
}
