import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** What the build reads. */
const SOURCES = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'src',
  'scripts',
  'ui',
  'examples',
]

export const BUILD_MS = 120_000

export interface CliRun {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly stdin?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
}

export interface BuiltCli {
  /** For files of the tests. */
  readonly folder: string
  readonly entry: string
  readonly start: (args: readonly string[], options?: CliOptions) => ReturnType<typeof startProcess>
  /** Runs it to its end. */
  readonly run: (args: readonly string[], options?: CliOptions) => Promise<CliRun>
  readonly remove: () => Promise<void>
}

/** The command line as it is shipped, compiled in a folder of its own. */
export async function buildCli(): Promise<BuiltCli> {
  const folder = await mkdtemp(join(tmpdir(), 'precis-cli-'))
  for (const source of SOURCES) {
    await cp(join(ROOT, source), join(folder, source), { recursive: true })
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  const build = spawnSync('npm', ['run', '--silent', 'build'], { cwd: folder, encoding: 'utf8' })
  if (build.status !== 0) throw new Error(`npm run build: ${build.stdout}${build.stderr}`)
  const entry = join(folder, 'dist/cli/main.js')
  const start: BuiltCli['start'] = (args, options = {}) => startProcess(entry, args, options)
  return {
    folder,
    entry,
    start,
    run: (args, options = {}) => finish(start(args, options), options),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function startProcess(entry: string, args: readonly string[], { env = {} }: CliOptions) {
  return spawn(process.execPath, [entry, ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
}

async function finish(
  child: ReturnType<typeof startProcess>,
  { stdin = '' }: CliOptions,
): Promise<CliRun> {
  const stdout = collect(child.stdout)
  const stderr = collect(child.stderr)
  // A process that fails early does not read all of its input.
  child.stdin.on('error', () => {})
  child.stdin.end(stdin)
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, stdout: await stdout, stderr: await stderr }
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString('utf8')
}
