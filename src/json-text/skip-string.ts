import { BACKSLASH, QUOTE } from './structural-bytes.ts'

/**
 * Bytes of a string that are looked at one by one before the search for its end is left to indexOf,
 * which is far faster on long text and far slower on short. It also bounds what a text made of
 * escaped quotes can cost: one search for every so many bytes.
 */
const STEPS_BEFORE_SEARCH = 24

/**
 * Index after the closing quote of the string whose content begins at `start`, or the length of the
 * text where the string never ends. Linear.
 */
export const skipString = (text: Buffer, start: number): number => {
  let index = start
  for (;;) {
    const end = Math.min(index + STEPS_BEFORE_SEARCH, text.length)
    while (index < end) {
      const byte = text[index] as number
      index += byte === BACKSLASH ? 2 : 1
      if (byte === QUOTE) return index
    }
    if (index >= text.length) return text.length
    const quote = text.indexOf(QUOTE, index)
    if (quote === -1) return text.length
    const escaped = isEscaped(text, index, quote)
    index = quote + 1
    if (!escaped) return index
  }
}

/** `start` does not follow an escaping backslash, so the run before the quote counts from there. */
const isEscaped = (text: Buffer, start: number, quote: number): boolean => {
  let first = quote
  while (first > start && text[first - 1] === BACKSLASH) first -= 1
  return ((quote - first) & 1) === 1
}
