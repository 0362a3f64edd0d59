import type { IsotonicCalibration } from './calibration.ts'
import { hasBothLabels, type LabelledScores, smoothedTargets } from './labelled-score.ts'

/** Neighbouring scores that share one probability. */
interface Block {
  readonly first: number
  readonly last: number
  readonly count: number
  readonly sum: number
}

/**
 * The non-descending curve that is nearest to the labels, by pooling adjacent violators. Targets are
 * smoothed as Platt smooths them: an end of the curve says 0 or 1 of no message.
 *
 * @returns undefined unless both labels and at least two scores occur
 */
export function fitIsotonic({ rows, scale }: LabelledScores): IsotonicCalibration | undefined {
  if (!hasBothLabels(rows)) return undefined
  const targetOf = smoothedTargets(rows)
  const targets = new Map<number, { count: number; sum: number }>()
  for (const row of rows) {
    const pooled = targets.get(row.score) ?? { count: 0, sum: 0 }
    pooled.count += 1
    pooled.sum += targetOf(row)
    targets.set(row.score, pooled)
  }
  if (targets.size < 2) return undefined
  const blocks: Block[] = []
  for (const [score, { count, sum }] of [...targets].sort(([a], [b]) => a - b)) {
    let block: Block = { first: score, last: score, count, sum }
    for (let last = blocks.at(-1); last !== undefined; last = blocks.at(-1)) {
      if (mean(last) < mean(block)) break
      blocks.pop()
      block = {
        first: last.first,
        last: block.last,
        count: last.count + block.count,
        sum: last.sum + block.sum,
      }
    }
    blocks.push(block)
  }
  const points = blocks.flatMap((block): [number, number][] =>
    block.first === block.last
      ? [[block.first, mean(block)]]
      : [
          [block.first, mean(block)],
          [block.last, mean(block)],
        ],
  )
  return { method: 'isotonic', points, scale }
}

function mean({ sum, count }: Block): number {
  return sum / count
}
