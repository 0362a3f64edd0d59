import { createRandom } from './random.ts'

/**
 * Texts on which tokenisers are known to take quadratic time, most of them one piece as long as the text.
 * Each function gives about `units` UTF-16 units.
 */
export const PATHOLOGICAL_TEXTS: Record<string, (units: number) => string> = {
  'one letter': (units) => 'a'.repeat(units),
  'one capital': (units) => 'A'.repeat(units),
  'alternating case': (units) => 'aA'.repeat(units / 2),
  spaces: (units) => ' '.repeat(units),
  'spaces before a letter': (units) => `${' '.repeat(units - 1)}x`,
  'line feeds': (units) => '\n'.repeat(units),
  'spaces and line feeds': (units) => ' \n'.repeat(units / 2),
  'equals signs': (units) => '='.repeat(units),
  'random letters': (units) => randomOf(units, 'abcdefghijklmnopqrstuvwxyz'),
  'random base64': (units) =>
    createRandom(5)
      .bytes((units * 3) / 4)
      .toString('base64'),
  'random punctuation': (units) => randomOf(units, '!#$%&()*+,-.:;<=>?@[]^_{|}~'),
  'unbroken Chinese': (units) =>
    randomOf(units, '天地玄黄宇宙洪荒日月盈昃辰宿列张寒来暑往秋收冬藏'),
  'one emoji': (units) => '😀'.repeat(units / 2),
  'combining marks': (units) => `e${'\u0301'.repeat(units - 1)}`,
  digits: (units) => '7'.repeat(units),
  'lone surrogates': (units) => '\ud800'.repeat(units),
  'capitals behind a caseless letter': (units) => `ª${'Z'.repeat(units - 1)}`,
  'apostrophes and letters': (units) => "'s".repeat(units / 2),
}

function randomOf(units: number, alphabet: string): string {
  const random = createRandom(units)
  let text = ''
  while (text.length < units) text += alphabet[random.below(alphabet.length)]
  return text
}
