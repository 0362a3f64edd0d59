import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FOLDER = new URL('./', import.meta.url)

/** Exact versions of the packages that are measured, by their names. */
export const PEER_VERSIONS = (
  JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8')) as {
    dependencies: Record<string, string>
  }
).dependencies

/**
 * Installs what is missing, without running any script of theirs. Their own peers are left alone: one
 * asks for a version of another that does not exist. Where it fails, those that are there are measured.
 */
export function installPeers(): void {
  if (Object.keys(PEER_VERSIONS).every(isInstalled)) return
  console.error('Installing the peers into bench/peers/node_modules (about 600 MB) ...')
  const { status } = spawnSync(
    'npm',
    [
      'install',
      '--ignore-scripts',
      '--no-package-lock',
      '--legacy-peer-deps',
      '--omit=optional',
      '--no-audit',
      '--no-fund',
    ],
    { cwd: fileURLToPath(FOLDER), stdio: ['ignore', 'ignore', 'inherit'] },
  )
  if (status !== 0) console.error('NOTE: the peers could not be installed.')
}

/** A module of an installed peer by its path below node_modules. */
export function peerModule(path: string): string {
  return new URL(`node_modules/${path}`, FOLDER).href
}

function isInstalled(name: string): boolean {
  const file = new URL(`node_modules/${name}/package.json`, FOLDER)
  if (!existsSync(file)) return false
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version === PEER_VERSIONS[name]
}
