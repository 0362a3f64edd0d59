/** Installs the runtime through the ordinary npm client, and leaves of it what this machine can run. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RUNTIME } from '../../src/decide/minilm/installation.ts'

const VERSION = '1.30.0'
/** Where the package keeps its native part for each system and processor. */
const BINARIES = 'bin/napi-v6'

export function installRuntime(folder: string): void {
  npmInstall(folder, `${RUNTIME}@${VERSION}`)
  removeForeignBinaries(join(folder, 'node_modules', RUNTIME, BINARIES))
}

/** Without install scripts: that of the runtime fetches libraries for graphics cards. */
export function npmInstall(folder: string, wanted: string): void {
  mkdirSync(folder, { recursive: true })
  const manifest = join(folder, 'package.json')
  // Or npm would install into the next package above.
  if (!existsSync(manifest)) writeFileSync(manifest, '{ "private": true }\n')
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact']
  // What npm says goes to the error stream: the last line of the output is for whoever called.
  execFileSync('npm', ['install', ...options, wanted], { cwd: folder, stdio: ['ignore', 2, 2] })
}

/** Four fifths of the package are for other systems. */
function removeForeignBinaries(binaries: string): void {
  if (!existsSync(join(binaries, process.platform, process.arch))) {
    throw new Error(`${RUNTIME} has no native part for ${process.platform} ${process.arch}.`)
  }
  for (const system of readdirSync(binaries)) {
    if (system !== process.platform) rmSync(join(binaries, system), { recursive: true })
  }
  for (const processor of readdirSync(join(binaries, process.platform))) {
    if (processor === process.arch) continue
    rmSync(join(binaries, process.platform, processor), { recursive: true })
  }
}
