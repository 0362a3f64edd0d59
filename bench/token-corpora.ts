import { readdirSync, readFileSync } from 'node:fs'
import { createRandom, type Random } from '../test/unit/tokens/random.ts'

/** UTF-16 units of each corpus, where its source has as many. */
const CORPUS_UNITS = 200_000

/**
 * Texts of the kinds that conversations hold, from the installed packages, the runtime's own locale names
 * and a seeded generator, so that they are the same from run to run on one machine.
 */
export function readCorpora(): Record<string, string> {
  const random = createRandom(20_251)
  const lock = readFileSync('package-lock.json', 'utf8')
  const corpora = {
    prose: readDocumentation(),
    typescript: readDeclarations(),
    javascript: readFolder('node_modules/fastify/lib', '.js'),
    json_pretty: lock,
    json_min: JSON.stringify(JSON.parse(lock)),
    logs: fill(() => logLine(random)),
    base64: fill(() => `${random.bytes(120).toString('base64')}\n`),
    hex: fill(() => `${random.bytes(32).toString('hex')}\n`),
    zh: localeNames(random, ['zh'], '，'),
    ja: localeNames(random, ['ja'], '、'),
    ar: localeNames(random, ['ar'], ' '),
    ru: localeNames(random, ['ru'], ' '),
    hi_th_ko_he: localeNames(random, ['hi', 'th', 'ko', 'he'], ' '),
    emoji: fill(() => {
      const run = Array.from({ length: 1 + random.below(3) }, () => 0x1f300 + random.below(0x2ff))
      return `${random.pick(['ok', 'thanks', 'see you', 'done'])} ${String.fromCodePoint(...run)} `
    }),
    numbers: fill(() => `${random.below(1e6)},${random.below(1e4)}.${random.below(100)}\n`),
  }
  return Object.fromEntries(
    Object.entries(corpora).map(([name, text]) => [name, text.slice(0, CORPUS_UNITS)]),
  )
}

/** Prose of installed packages, whole. */
export function readDocumentation(): string {
  return (
    readFolder('node_modules/undici/docs', '.md') + readFolder('node_modules/fastify/docs', '.md')
  )
}

/** TypeScript of installed packages, whole. */
export function readDeclarations(): string {
  return readFolder('node_modules/@types/node', '.d.ts')
}

function readFolder(folder: string, ending: string): string {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .sort()
    .map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
    .join('\n')
}

function fill(next: () => string): string {
  let text = ''
  while (text.length < CORPUS_UNITS) text += next()
  return text
}

function logLine(random: Random): string {
  const time = new Date(1.76e12 + random.below(1e9)).toISOString()
  const level = random.pick(['INFO', 'WARN', 'ERROR', 'DEBUG'])
  const id = random.bytes(8).toString('hex')
  const where = random.pick(['http.server', 'db.pool', 'queue.worker', 'cache'])
  return `${time} ${level} [${where}] request=${id} status=${200 + random.below(400)} took ${random.below(9000)}ms\n`
}

/** Names of regions, languages, scripts and currencies in the given languages, in random order. */
function localeNames(random: Random, locales: readonly string[], separator: string): string {
  const letters = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index))
  const pairs = letters.flatMap((first) => letters.map((second) => first + second))
  const names: string[] = []
  for (const locale of locales) {
    const languages = new Intl.DisplayNames(locale, { type: 'language' })
    const regions = new Intl.DisplayNames(locale, { type: 'region' })
    const currencies = new Intl.DisplayNames(locale, { type: 'currency' })
    for (const pair of pairs) {
      const upper = pair.toUpperCase()
      for (const name of [languages.of(pair), regions.of(upper)]) if (name) names.push(name)
      for (const letter of letters) {
        const currency = currencies.of(upper + letter.toUpperCase())
        if (currency) names.push(currency)
      }
    }
  }
  const foreign = names.filter((name) => !/^[A-Za-z]+$/.test(name))
  return fill(() => `${random.pick(foreign)}${random.pick(foreign)}${separator}`)
}
