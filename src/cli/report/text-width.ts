/** Code points from here on are counted as two columns: most of them are, and none is wider. */
const FIRST_WIDE = 0x1100

/** Escape sequences, line breaks and directional marks of a file must not steer the terminal. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

export function printable(text: string): string {
  return text.replace(UNPRINTABLE, '\uFFFD')
}

/** Columns of a terminal that the text takes at most. */
export function textWidth(text: string): number {
  let width = 0
  for (const character of text) width += widthOf(character)
  return width
}

/** Cut to so many columns, the last of which then says that something is missing. */
export function cutText(text: string, width: number): string {
  if (textWidth(text) <= width) return text
  if (width < 1) return ''
  let cut = ''
  let left = width - 1
  for (const character of text) {
    left -= widthOf(character)
    if (left < 0) break
    cut += character
  }
  return `${cut}…`
}

export function padText(text: string, width: number, align: 'left' | 'right'): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)))
  return align === 'right' ? space + text : text + space
}

/** Lines of at most so many columns, broken at spaces, and inside a word only where it is longer. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`
    if (textWidth(joined) <= width) {
      line = joined
      continue
    }
    if (line !== '') lines.push(line)
    const pieces = breakWord(word, width)
    lines.push(...pieces.slice(0, -1))
    line = pieces.at(-1) ?? ''
  }
  return [...lines, line]
}

function breakWord(word: string, width: number): readonly string[] {
  const pieces: string[] = []
  let piece = ''
  let used = 0
  for (const character of word) {
    const columns = widthOf(character)
    if (used + columns > width && piece !== '') {
      pieces.push(piece)
      piece = ''
      used = 0
    }
    piece += character
    used += columns
  }
  return [...pieces, piece]
}

function widthOf(character: string): number {
  const code = character.codePointAt(0) ?? 0
  // The dots and dashes that the tables themselves are made of.
  if (character === '…' || character === '─' || character === '→') return 1
  return code >= FIRST_WIDE ? 2 : 1
}
