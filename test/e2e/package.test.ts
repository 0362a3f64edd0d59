/** The package as a user installs it: packed, in a project of its own, without the service's parts. */
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  BUILD_MS,
  type BuiltProject,
  buildProject,
  PROJECT_ROOT,
  run,
} from '../helpers/build-project.ts'

/** All that the library and the command line need at run time. */
const LIBRARY_DEPENDENCIES = ['ajv', 'typebox', 'commander']

let project: BuiltProject
let consumer: string
let packed: readonly string[]

beforeAll(async () => {
  project = await buildProject()
  const { folder } = project
  const [pack] = JSON.parse(run('npm', ['pack', '--json', '--ignore-scripts'], folder))
  packed = pack.files.map(({ path }: { path: string }) => path)
  consumer = join(folder, 'consumer')
  await mkdir(join(consumer, 'node_modules/precis'), { recursive: true })
  const target = join(consumer, 'node_modules/precis')
  run('tar', ['-xzf', join(folder, pack.filename), '-C', target, '--strip-components=1'], folder)
  for (const name of LIBRARY_DEPENDENCIES) await install(name)
  await install('@types/node')
  await writeFile(join(consumer, 'package.json'), '{ "type": "module", "private": true }')
}, BUILD_MS)

afterAll(() => project?.remove())

async function install(name: string): Promise<void> {
  const place = join(consumer, 'node_modules', name)
  await mkdir(dirname(place), { recursive: true })
  await symlink(join(PROJECT_ROOT, 'node_modules', name), place)
}

const bin = (name: string): string => join(PROJECT_ROOT, 'node_modules/.bin', name)

const PROGRAM = `
import { budget, check, compact, createPrecis, PrecisError } from 'precis'

const messages = Array.from({ length: 40 }, (_, index) => ({
  role: index % 2 === 0 ? 'user' as const : 'assistant' as const,
  content: 'Message ' + index + '. ' + 'word '.repeat(100),
}))
const result = await compact({ messages, targetTokens: 2_000 })
const last = result.messages.at(-1)
const role: 'user' | 'assistant' | undefined = last?.role
const checked = check({ messages: result.messages })
const { target } = await budget({ model: 'gpt-4o', messages })
const precis = createPrecis({ decide: null, profile: 'agent' })
const dry = await precis.compact({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }], dryRun: true })
let fault: string | undefined
try {
  await compact({ messages, targetTokens: Number.NaN })
} catch (error) {
  if (error instanceof PrecisError) fault = error.faults?.[0]?.pointer
}
console.log(JSON.stringify({
  outcome: result.outcome,
  fits: result.fits,
  role,
  isSame: last === messages.at(-1),
  valid: checked.valid,
  target: target.value > 0,
  format: dry.format,
  contents: dry.contents.length,
  fault,
}))
`

const EXPECTED = {
  outcome: 'compacted',
  fits: true,
  role: 'assistant',
  isSame: true,
  valid: true,
  target: true,
  format: 'gemini',
  contents: 1,
  fault: '/targetTokens',
}

describe('the package', () => {
  // It packs once more.
  test('is in order for those who publish and those who resolve its types', {
    timeout: BUILD_MS,
  }, () => {
    run('npm', ['run', '--silent', 'package:check'], project.folder)
  })

  test.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'esnext'],
  ])(
    'compiles in a strict project that resolves as %s, and runs without a server',
    async (moduleResolution, module) => {
      const name = `use-${moduleResolution}`
      await writeFile(join(consumer, `${name}.ts`), PROGRAM)
      const options = {
        compilerOptions: {
          target: 'es2023',
          module,
          moduleResolution,
          strict: true,
          skipLibCheck: false,
          types: ['node'],
          outDir: name,
        },
        files: [`${name}.ts`],
      }
      await writeFile(join(consumer, `${name}.json`), JSON.stringify(options))
      run(bin('tsc'), ['-p', `${name}.json`], consumer)
      const printed = run(process.execPath, [`${name}/${name}.js`], consumer)
      expect(JSON.parse(printed)).toEqual(EXPECTED)
    },
  )

  test('has a command line', () => {
    const version = run(
      process.execPath,
      ['node_modules/precis/dist/cli/main.js', '--version'],
      consumer,
    )
    expect(version.trim()).toMatch(/^\d+\.\d+\.\d+/)
  })

  test('gives a bundle only what is used', async () => {
    const modulesOf = async (name: string): Promise<string[]> => {
      const { metafile } = await build({
        stdin: { contents: `export { ${name} } from 'precis'`, resolveDir: consumer },
        bundle: true,
        write: false,
        platform: 'node',
        format: 'esm',
        metafile: true,
        logLevel: 'silent',
      })
      const [output] = Object.values(metafile.outputs)
      return Object.entries(output?.inputs ?? {})
        .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
        .map(([path]) => path)
    }
    const [forCheck, forCompact] = [await modulesOf('check'), await modulesOf('compact')]
    const has = (modules: readonly string[], part: string): boolean =>
      modules.some((path) => path.includes(part))
    expect(has(forCompact, 'dist/decide/embedded/')).toBe(true)
    for (const part of ['dist/decide/', 'dist/summarizer/', 'dist/outbound/', 'dist/config']) {
      expect(has(forCheck, part), part).toBe(false)
    }
    for (const part of ['fastify', 'undici', 'pino', 'prom-client', 'dist/server', 'dist/cli/']) {
      expect(has(forCompact, part), part).toBe(false)
    }
  })

  test('ships compiled code, its types and its documentation, and no sources', () => {
    const folders = new Set(packed.map((path) => path.split('/')[0]))
    expect([...folders].sort()).toEqual([
      'LICENSE',
      'NOTICE',
      'README.md',
      'dist',
      'docs',
      'openapi.yaml',
      'package.json',
    ])
    expect(packed).toContain('dist/tokens/vocabulary/o200k_base.bin')
    expect(packed).toContain('dist/decide/embedded/table/static-table.bin')
    expect(packed.filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))).toEqual([])
  })
})
