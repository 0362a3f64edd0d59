import { dropOrder, type JudgedCase } from '../../lib/labelled-case.ts'

/**
 * The chance that a needed turn outranks one that is not, ties counting half. Undefined where either
 * kind is missing among the answered turns.
 */
export function areaUnderCurve({ labelled, scores }: JudgedCase): number | undefined {
  const order = dropOrder(scores)
  let needed = 0
  let ranks = 0
  for (let start = 0; start < order.length; ) {
    let end = start
    while (end < order.length && scores[order[end]!] === scores[order[start]!]) end += 1
    for (const index of order.slice(start, end)) {
      if (!labelled.turns[index]!.needed) continue
      needed += 1
      ranks += (start + end + 1) / 2
    }
    start = end
  }
  const others = order.length - needed
  if (needed === 0 || others === 0) return undefined
  return (ranks - (needed * (needed + 1)) / 2) / (needed * others)
}
