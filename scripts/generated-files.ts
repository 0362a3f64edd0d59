import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

export interface GeneratedFile {
  /** From the root of the repository. */
  readonly path: string
  readonly content: string
}

export function pathInRepository(path: string): string {
  return fileURLToPath(new URL(`../${path}`, import.meta.url))
}

export async function readIfPresent(path: string): Promise<string> {
  try {
    return await readFile(pathInRepository(path), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** Writes the files, or with `--check` only tells which differ, and fails if any does. */
export async function writeOrCheck(files: readonly GeneratedFile[], command: string) {
  const check = process.argv.includes('--check')
  for (const { path, content } of files) {
    if ((await readIfPresent(path)) === content) continue
    if (check) {
      console.error(`${path} is not what the code says; run: npm run ${command}`)
      process.exitCode = 1
    } else {
      await writeFile(pathInRepository(path), content)
      console.log(`wrote ${path}`)
    }
  }
}

/** Replaces what stands between `<!-- name:start -->` and `<!-- name:end -->`. */
export function replaceSection(text: string, name: string, section: string): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`]
  const [from, to] = [text.indexOf(start), text.indexOf(end)]
  if (from === -1 || to < from) throw new Error(`there is no section ${name}`)
  return `${text.slice(0, from + start.length)}\n${section}\n${text.slice(to)}`
}
