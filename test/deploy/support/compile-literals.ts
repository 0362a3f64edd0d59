import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathInRepository } from './deploy-files.ts'

/** Inside node_modules, so that the compiler finds the packages. */
const PARENT = pathInRepository('node_modules/.cache')
const OPTIONS = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig']
const TARGET = ['--module', 'esnext', '--moduleResolution', 'bundler', '--target', 'es2022']

/**
 * What the compiler says of this source; empty where it is well typed. A literal that `satisfies` a type
 * may have no member that the type does not know, which few schemas check.
 */
export async function compileLiterals(source: string): Promise<string> {
  await mkdir(PARENT, { recursive: true })
  const folder = await mkdtemp(join(PARENT, 'precis-literals-'))
  try {
    const file = join(folder, 'literals.ts')
    await writeFile(file, `${source}\nexport {}\n`)
    const tsc = pathInRepository('node_modules/typescript/bin/tsc')
    const commandLine = [tsc, ...OPTIONS, ...TARGET, file]
    return spawnSync(process.execPath, commandLine, { encoding: 'utf8' }).stdout
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
