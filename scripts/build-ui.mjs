/** Bundles the inspector (ui/) into a folder, dist/ui unless another one is named. */
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = resolve(process.argv[2] ?? `${root}/dist/ui`)

await build({
  absWorkingDir: root,
  entryPoints: { inspector: 'ui/main.tsx' },
  outdir: folder,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  minify: true,
  legalComments: 'none',
  tsconfig: 'ui/tsconfig.json',
  logLevel: 'warning',
})
await mkdir(folder, { recursive: true })
await cp(`${root}/ui/index.html`, `${folder}/index.html`)
const style = await build({
  absWorkingDir: root,
  entryPoints: ['ui/inspector.css'],
  bundle: true,
  minify: true,
  write: false,
  logLevel: 'warning',
})
await writeFile(`${folder}/inspector.css`, style.outputFiles[0].contents)
// One line: what it looks like in the repository is for people.
const example = JSON.parse(await readFile(`${root}/examples/coding-session.json`, 'utf8'))
await writeFile(`${folder}/example.json`, JSON.stringify(example))
