const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d
/** `[` and `{`, and `]` and `}`, differ in this bit alone, and no other ASCII pair ends up there. */
const BRACKET_BIT = 0x20

/**
 * Bytes of a string that are looked at one by one before the search for its end is left to indexOf,
 * which is far faster on long text and far slower on short. It also bounds what a text made of
 * escaped quotes can cost: one search for every so many bytes.
 */
const STEPS_BEFORE_SEARCH = 24

/**
 * Whether JSON text nests arrays and objects deeper than `maxDepth`; `[[1]]` has depth 2. One linear
 * pass over the bytes that allocates nothing, so that the answer is there before a parser builds what
 * is asked about. On text that is not JSON the answer means nothing.
 */
export const isNestedDeeperThan = (text: Buffer, maxDepth: number): boolean => {
  const { length } = text
  let depth = 0
  let index = 0
  while (index < length) {
    const byte = text[index] as number
    index += 1
    if (byte === QUOTE) {
      index = skipString(text, index)
    } else if ((byte | BRACKET_BIT) === OPENING_BRACE) {
      depth += 1
      if (depth > maxDepth) return true
    } else if ((byte | BRACKET_BIT) === CLOSING_BRACE) {
      depth -= 1
    }
  }
  return false
}

/** Index after the closing quote of the string whose content begins at `start`. */
const skipString = (text: Buffer, start: number): number => {
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
