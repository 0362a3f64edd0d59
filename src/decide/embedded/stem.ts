/**
 * A light English stemmer: it takes off plural, past, gerund, adverb and the commonest noun endings,
 * so that "camps", "camped" and "camping" meet. What it returns is a key, not a word, and a few
 * words meet that should not ("plan" and "plane"). Short words and anything but lower-case ASCII
 * letters come back as they are.
 */
export function stem(word: string): string {
  if (word.length < 4 || !isAsciiWord(word)) return word
  let rest = withoutPlural(word)
  rest = withoutTense(rest)
  rest = withoutNounEnding(rest)
  if (rest.length > 5 && rest.endsWith('ly')) rest = rest.slice(0, -2)
  if (rest.length > 3 && rest.endsWith('e')) rest = rest.slice(0, -1)
  if (rest.length > 3 && rest.endsWith('y')) rest = `${rest.slice(0, -1)}i`
  return rest
}

function isAsciiWord(word: string): boolean {
  for (let index = 0; index < word.length; index += 1) {
    const unit = word.charCodeAt(index)
    if (unit < 97 || unit > 122) return false
  }
  return true
}

/** Plurals that take an e with the s. */
const HISSING_PLURALS = ['sses', 'xes', 'shes', 'ches']

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || word.endsWith('ss') || word.endsWith('us') || word.endsWith('is')) {
    return word
  }
  if (HISSING_PLURALS.some((ending) => word.endsWith(ending))) return word.slice(0, -2)
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.slice(0, -1)
}

function withoutTense(word: string): string {
  if (word.length > 4 && word.endsWith('ied')) return `${word.slice(0, -3)}y`
  for (const ending of ['ing', 'ed']) {
    if (!word.endsWith(ending)) continue
    const rest = word.slice(0, -ending.length)
    if (rest.length >= 3 && hasVowel(rest)) return withoutDoubledEnd(rest)
  }
  return word
}

/** Endings that make a noun of another word, and what stays of it. */
const NOUN_ENDINGS: readonly (readonly [string, string])[] = [
  ['ization', 'iz'],
  ['ation', 'at'],
  ['ment', ''],
  ['ness', ''],
  ['tion', 't'],
  ['sion', 's'],
]

function withoutNounEnding(word: string): string {
  for (const [ending, kept] of NOUN_ENDINGS) {
    if (word.endsWith(ending) && word.length - ending.length >= 3) {
      return word.slice(0, -ending.length) + kept
    }
  }
  return word
}

/** "planned" is "plan", but "called" stays "call": l, s and z are doubled in the word itself. */
function withoutDoubledEnd(word: string): string {
  const last = word.charAt(word.length - 1)
  const doubled = word.length > 3 && last === word.charAt(word.length - 2)
  return doubled && !'aeioulsz'.includes(last) ? word.slice(0, -1) : word
}

function hasVowel(word: string): boolean {
  for (const letter of word) if ('aeiouy'.includes(letter)) return true
  return false
}
