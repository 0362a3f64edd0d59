import type { OverflowNumbers } from './numbers.ts'

/** What to aim at where the upstream gives no number: far enough that one more try is likely the last. */
const SHARE_WITHOUT_NUMBERS = 0.7

/** Below the limit, since the two counts need not differ by the same factor in what remains. */
const MARGIN = 0.9

/** Never aims closer to what was refused than this: it would be refused again. */
const MAX_SHARE = 0.95

/**
 * Tokens, by the service's own count, to compact to after `ownTokens` of them were refused. Where the
 * upstream says what it counted, its limit is translated by the ratio of the two counts.
 */
export function harderTarget(
  { limitTokens, sentTokens }: OverflowNumbers,
  ownTokens: number,
): number {
  const wanted =
    limitTokens === undefined
      ? ownTokens * SHARE_WITHOUT_NUMBERS
      : sentTokens !== undefined && sentTokens > limitTokens
        ? ownTokens * (limitTokens / sentTokens) * MARGIN
        : Math.min(limitTokens * MARGIN, ownTokens * SHARE_WITHOUT_NUMBERS)
  return Math.max(1, Math.floor(Math.min(wanted, ownTokens * MAX_SHARE)))
}
