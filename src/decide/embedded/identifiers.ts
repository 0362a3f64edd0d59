import { CAPITAL, classOf, DIGIT, LETTER } from './characters.ts'

/**
 * Parts of a word that is written in camel case: `getUserName` is get, User, Name; `HTTPServer` is
 * HTTP, Server. A word that is not gives itself. Digits stay with the letters before them.
 */
export function splitCase(word: string): readonly string[] {
  const parts: string[] = []
  let start = 0
  let before = -1
  let index = 0
  while (index < word.length) {
    const codePoint = word.codePointAt(index) ?? 0
    const width = codePoint > 0xffff ? 2 : 1
    const kind = classOf(codePoint)
    if (index > start && kind === CAPITAL && beginsPart(before, word, index + width)) {
      parts.push(word.slice(start, index))
      start = index
    }
    before = kind
    index += width
  }
  if (start === 0) return [word]
  parts.push(word.slice(start))
  return parts
}

/** A capital begins a part after a small letter or a digit, and as the last of a run before one. */
function beginsPart(before: number, word: string, next: number): boolean {
  if (before === LETTER || before === DIGIT) return true
  return classOf(word.codePointAt(next) ?? 0) === LETTER
}
