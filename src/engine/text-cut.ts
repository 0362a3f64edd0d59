/**
 * Cutting text without breaking it: never inside a surrogate pair, head and tail kept, and with a
 * mark that says how much is missing.
 */

/** The largest cut position <= `position` that does not part a surrogate pair. */
export function cutBefore(text: string, position: number): number {
  if (position <= 0) return 0
  if (position >= text.length) return text.length
  return isHighSurrogate(text.charCodeAt(position - 1)) && isLowSurrogate(text.charCodeAt(position))
    ? position - 1
    : position
}

/** The smallest cut position >= `position` that does not part a surrogate pair. */
export function cutAfter(text: string, position: number): number {
  if (position <= 0) return 0
  if (position >= text.length) return text.length
  return isHighSurrogate(text.charCodeAt(position - 1)) && isLowSurrogate(text.charCodeAt(position))
    ? position + 1
    : position
}

/**
 * Head and tail of a text, `keep` UTF-16 units at most in all, around a mark with the number of
 * characters left out. Returns the text itself when it is not longer than `keep`.
 */
export function headAndTail(text: string, keep: number): string {
  if (text.length <= keep) return text
  const head = cutBefore(text, Math.ceil(keep / 2))
  const tail = cutAfter(text, text.length - Math.floor(keep / 2))
  return `${text.slice(0, head)}${omissionMark(tail - head)}${text.slice(tail)}`
}

export function omissionMark(characters: number): string {
  return `\n[... ${characters} characters omitted ...]\n`
}

/**
 * Shortens a text to a token budget, head and tail kept. Never over the budget: the result is
 * measured by the counter that will be reported. Returns undefined where even the bare mark does
 * not fit. Cost: a few counts of texts of about the result's size, whatever the input's.
 */
export function shortenToTokens(
  text: string,
  tokens: number,
  budget: number,
  countTokens: (text: string) => number,
): string | undefined {
  if (tokens <= budget) return text
  let keep = Math.floor((text.length * budget) / tokens)
  // The first guess is proportional; text is not, so shrink by the measured overshoot.
  for (let attempt = 0; attempt < 12 && keep > 0; attempt += 1) {
    const candidate = headAndTail(text, keep)
    const measured = countTokens(candidate)
    if (measured <= budget) return candidate
    keep = Math.min(keep - 1, Math.floor((keep * budget * 0.98) / measured))
  }
  const bare = headAndTail(text, 0)
  return countTokens(bare) <= budget ? bare : undefined
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
