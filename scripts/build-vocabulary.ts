/**
 * Writes src/tokens/vocabulary/*.bin from the `tiktoken` package: the tokens of each encoding, and the
 * character classes of the regex engine inside it. With `--check` writes nothing and fails if what is
 * there differs.
 *
 *     npx tsx scripts/build-vocabulary.ts [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { buildVocabularyFiles } from './vocabulary-files.ts'

const folder = new URL('../src/tokens/vocabulary/', import.meta.url)
const check = process.argv.includes('--check')
let stale = 0

for (const [name, built] of buildVocabularyFiles()) {
  const file = new URL(name, folder)
  if (!check) {
    writeFileSync(file, built)
    console.log(`${name}: ${built.length} bytes`)
  } else if (!built.equals(readFileSync(file))) {
    stale++
    console.error(`${name} differs from what the installed tiktoken package gives`)
  }
}
process.exitCode = stale === 0 ? 0 : 1
