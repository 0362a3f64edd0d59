/** Places in JSON text, so that numbers and key order pass through this page as they came. */

export interface Range {
  readonly start: number
  readonly end: number
}

/**
 * Where the values of an object's own members stand in text that JSON.parse has accepted; of several
 * members of one name the last, which is the one that JSON.parse keeps. Empty for what is no object.
 */
export function memberRanges(text: string): ReadonlyMap<string, Range> {
  const members = new Map<string, Range>()
  let at = skipSpace(text, 0)
  if (text[at] !== '{') return members
  at = skipSpace(text, at + 1)
  while (at < text.length && text[at] !== '}') {
    const keyEnd = skipString(text, at)
    const key = JSON.parse(text.slice(at, keyEnd)) as string
    const start = skipSpace(text, skipSpace(text, keyEnd) + 1)
    const end = skipValue(text, start)
    members.set(key, { start, end })
    at = skipSpace(text, end)
    if (text[at] === ',') at = skipSpace(text, at + 1)
  }
  return members
}

function skipSpace(text: string, from: number): number {
  let at = from
  // Below the space there are only line ends and tabs in JSON; a byte order mark may come first.
  while (at < text.length && (text.charCodeAt(at) <= 32 || text.charCodeAt(at) === 0xfeff)) at += 1
  return at
}

function skipString(text: string, from: number): number {
  let end = text.indexOf('"', from + 1)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end + 1
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0
  while (text[quote - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

function skipValue(text: string, from: number): number {
  const first = text[from]
  if (first === '"') return skipString(text, from)
  if (first !== '{' && first !== '[') {
    let at = from
    while (at < text.length && !',}] \n\r\t'.includes(text.charAt(at))) at += 1
    return at
  }
  let depth = 0
  for (let at = from; at < text.length; at += 1) {
    const character = text[at]
    if (character === '"') at = skipString(text, at) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return text.length
}
