import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import {
  DEFAULT_FOLDER,
  ENCODER_FILE,
  installationFaults,
  RUNTIME,
  VOCABULARY_FILE,
} from '../../src/decide/minilm/installation.ts'
import { smallTalk } from '../unit/decide/embedded/helpers.ts'

/** Where `npm run setup:minilm` puts the better tier of the embedded decide model. */
export const MINILM_FOLDER = process.env.TEST_MINILM_FOLDER ?? DEFAULT_FOLDER

function hasMinilm(): boolean {
  return installationFaults(MINILM_FOLDER).length === 0
}

/** Whether its tests run. In CI a missing model is a failure: there it must not be skipped in silence. */
export const runsMinilm = hasMinilm() || Boolean(process.env.CI)
if (!runsMinilm) console.warn('SKIPPED: no MiniLM to run. Install it: npm run setup:minilm')

/** A folder, to be removed by the caller, with the model and these words of JavaScript in place of its runtime. */
export function installationWith(runtime: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'precis-minilm-test-'))
  for (const name of [ENCODER_FILE, VOCABULARY_FILE]) {
    symlinkSync(resolve(MINILM_FOLDER, name), join(folder, name))
  }
  const place = join(folder, 'node_modules', RUNTIME)
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'index.js'), runtime)
  return folder
}

export const MINILM_REQUEST = 'Which foods could be dangerous for my daughter?'
/** What the request asks for, without a word of it. */
export const PARAPHRASE = 'The kid gets a rash and swollen lips whenever she eats peanuts.'
export const PARAPHRASE_AT = 12
/** Names what the request names, and says nothing of what it asks for. */
export const NAMED_AT = 30

export function minilmTexts(): string[] {
  const texts = smallTalk(40)
  texts[PARAPHRASE_AT] = PARAPHRASE
  texts[NAMED_AT] = 'My daughter watched the football with the neighbour on that day.'
  return texts
}
