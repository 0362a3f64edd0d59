import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const SOURCE = new URL('../../src/', import.meta.url)
const BUILT = new URL('../results/dist/', import.meta.url)
const STAMP = new URL('built', BUILT)

/**
 * Compiles `src/` as `npm run build` does, into a folder that nobody else uses, where it is older than
 * the sources. What is measured must be what ships: tsx wraps every function that is made at run time
 * in a call that names it, which doubles the price of a closure.
 */
export function buildService(): void {
  if (isFresh()) return
  rmSync(BUILT, { recursive: true, force: true })
  const compiler = createRequire(import.meta.url).resolve('typescript/package.json')
  execFileSync(
    process.execPath,
    [
      fileURLToPath(new URL('bin/tsc', `file://${compiler}`)),
      ...['-p', fileURLToPath(new URL('../../tsconfig.build.json', import.meta.url))],
      ...['--outDir', fileURLToPath(BUILT)],
    ],
    { stdio: 'inherit' },
  )
  for (const folder of ['tokens/vocabulary/', 'decide/embedded/table/']) {
    cpSync(new URL(folder, SOURCE), new URL(folder, BUILT), { recursive: true })
  }
  writeFileSync(STAMP, '')
}

function isFresh(): boolean {
  const stamp = statSync(STAMP, { throwIfNoEntry: false })
  if (stamp === undefined) return false
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).every(
    (file) => statSync(new URL(file, SOURCE)).mtimeMs < stamp.mtimeMs,
  )
}

/** URL of a compiled module by its path under `src/`, with the ending that it has there. */
export function builtModule(path: string): string {
  return new URL(path.replace(/\.ts$/, '.js'), BUILT).href
}
