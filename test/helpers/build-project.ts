import { spawnSync } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Longest that a build may take on a busy machine. */
export const BUILD_MS = 120_000

/** What the build reads, and what a package holds beside its output. */
const SOURCES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'LICENSE',
  'NOTICE',
  'README.md',
  'openapi.yaml',
  'docs',
  'src',
  'scripts',
  'ui',
  'examples',
]

export interface BuiltProject {
  readonly folder: string
  readonly remove: () => Promise<void>
}

/** Builds a copy, so that a `dist` that somebody is running is not pulled away from under them. */
export async function buildProject(): Promise<BuiltProject> {
  const folder = await mkdtemp(join(tmpdir(), 'precis-build-'))
  for (const source of SOURCES) {
    await cp(join(PROJECT_ROOT, source), join(folder, source), { recursive: true })
  }
  await symlink(join(PROJECT_ROOT, 'node_modules'), join(folder, 'node_modules'))
  run('npm', ['run', '--silent', 'build'], folder)
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Runs a program to its end and returns what it wrote; throws with all of it where it fails. */
export function run(program: string, commandLine: readonly string[], folder: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, commandLine, {
    cwd: folder,
    encoding: 'utf8',
  })
  if (status === 0) return stdout
  throw new Error(`${program} ${commandLine.join(' ')}: ${error ?? ''}${stdout}${stderr}`)
}
