/**
 * Fits the coefficients of the better tier of the embedded decide model: the conversations and the fit of the
 * static model (eval/embedded-model), with the tier's vectors.
 *
 *   npx tsx scripts/fit-minilm.ts --data DIR --scratch DIR            prints the fit, and its worth on
 *                                                                     dialogues that it has not seen
 *   npx tsx scripts/fit-minilm.ts --data DIR --scratch DIR --write    and writes the coefficients
 *
 * Vectors are kept in the scratch folder: the first run takes minutes, the next ones less than one.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { buildClozes } from '../eval/embedded-model/cloze.ts'
import { buildComposites, readDialogues } from '../eval/embedded-model/composites.ts'
import { fitLogistic } from '../eval/embedded-model/fit-logistic.ts'
import { FEATURES } from '../src/decide/embedded/features.ts'
import { DEFAULT_FOLDER } from '../src/decide/minilm/installation.ts'
import { coefficientsText } from './minilm/coefficients-text.ts'
import { printWorth } from './minilm/print-worth.ts'
import { readVectors } from './minilm/read-vectors.ts'
import { samplesOf } from './minilm/samples.ts'

const COEFFICIENTS_FILE = new URL('../src/decide/minilm/coefficients.ts', import.meta.url)

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    scratch: { type: 'string' },
    folder: { type: 'string', default: DEFAULT_FOLDER },
    write: { type: 'boolean', default: false },
  },
})
const { data, scratch, folder } = values
if (data === undefined || scratch === undefined) {
  console.error(
    'Name the folder of real conversations, --data DIR, and a scratch folder, --scratch DIR.',
  )
  process.exit(2)
}

/**
 * What a turn of a composite counts beside one of a cloze. Composites call every turn of a dialogue needed, those
 * that nobody would miss too. scripts/minilm/README.md says what the weight was chosen by.
 */
const COMPOSITE_WEIGHT = 1 / 5

// The seeds and the numbers are those of the static model: eval/embedded-model/fit-model.ts.
const { fit, heldOut } = readDialogues(data)
const composites = buildComposites(fit, 1, 1)
const clozes = buildClozes(fit, 1_000, 11)
const unseenComposites = buildComposites(heldOut, 2, 2)
const unseenClozes = buildClozes(heldOut, 300, 2)

const cases = [...composites, ...clozes, ...unseenComposites, ...unseenClozes]
const vectors = await readVectors(cases, folder, scratch)
const samples = [
  ...samplesOf(clozes, 1, vectors),
  ...samplesOf(composites, COMPOSITE_WEIGHT, vectors),
]
const weights = fitLogistic(samples)
for (const [index, name] of FEATURES.entries()) {
  console.log(`  ${name.padEnd(20)} ${weights[index]!.toFixed(4).padStart(8)}`)
}
printWorth('composites', unseenComposites, weights, vectors)
printWorth('clozes', unseenClozes, weights, vectors)

const text = coefficientsText(weights, composites.length + clozes.length, samples.length)
if (values.write) writeFileSync(COEFFICIENTS_FILE, text)
const isCommitted = readFileSync(COEFFICIENTS_FILE, 'utf8') === text
console.log(`The committed file is ${isCommitted ? '' : 'NOT '}what this fit gives.`)
