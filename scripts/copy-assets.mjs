/** Copies what the compiled code reads at run time, and tsc does not compile, into dist. */
import { cpSync } from 'node:fs'

const ASSET_FOLDERS = ['tokens/vocabulary', 'decide/embedded/table', 'decide/minilm/process']

const root = new URL('../', import.meta.url)
for (const folder of ASSET_FOLDERS) {
  cpSync(new URL(`src/${folder}/`, root), new URL(`dist/${folder}/`, root), { recursive: true })
}
