/** Design section 4: longest preview of a message, in UTF-16 code units. */
export const MAX_PREVIEW_CHARS = 1_200
const STEP = 8
/** Lengths that are counted beyond the floor. */
const TRIES = 4
/** A gain of less than this is not worth another count. */
const WORTHWHILE = 1.05

/**
 * The longest preview that is good, or nearly. Counting is the cost of packing, so lengths are
 * proposed by an estimate and only the proposals are counted. What is returned was counted and good.
 *
 * @param good counts; asked a handful of times
 * @param seemsGood estimates from the last count
 * @returns undefined when not even the floor is good
 */
export function findPreviewLength(
  floor: number,
  good: (chars: number) => boolean,
  seemsGood: (chars: number) => boolean,
): number | undefined {
  if (!good(floor)) return undefined
  let low = floor
  let ceiling = MAX_PREVIEW_CHARS
  for (let tries = 0; tries < TRIES; tries += 1) {
    const proposed = longest(low, ceiling, seemsGood)
    if (proposed < low * WORTHWHILE) break
    if (good(proposed)) low = proposed
    else ceiling = proposed - STEP
  }
  return low
}

function longest(floor: number, ceiling: number, seemsGood: (chars: number) => boolean): number {
  if (ceiling <= floor) return floor
  if (seemsGood(ceiling)) return ceiling
  let low = floor
  let high = ceiling
  while (high - low > STEP) {
    const middle = Math.floor((low + high) / 2)
    if (seemsGood(middle)) low = middle
    else high = middle
  }
  return low
}
