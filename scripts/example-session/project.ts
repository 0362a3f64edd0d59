import { readdirSync, readFileSync } from 'node:fs'

const FOLDER = new URL('project/', import.meta.url)

/** The files that the session works on, in memory: an edit changes what a later read returns. */
export interface Project {
  readonly list: (folder: string) => string
  readonly read: (path: string, from?: number, to?: number) => string
  readonly search: (pattern: string) => string
  /** Replaces the one place where `oldText` stands; '' creates the file. */
  readonly edit: (path: string, oldText: string, newText: string) => string
}

export function loadProject(): Project {
  const files = new Map(
    readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.txt'))
      .sort()
      .map((name) => [name.slice(0, -'.txt'.length), readFileSync(new URL(name, FOLDER), 'utf8')]),
  )
  const linesOf = (path: string): string[] => {
    const text = files.get(path)
    if (text === undefined) throw new Error(`the session reads ${path}, which does not exist`)
    return text.trimEnd().split('\n')
  }
  return {
    list: (folder) =>
      [...files.keys()]
        .filter((path) => path.startsWith(folder))
        .sort()
        .join('\n'),
    read: (path, from = 1, to = Number.POSITIVE_INFINITY) =>
      linesOf(path)
        .map((line, index) => `${String(index + 1).padStart(4)}  ${line}`)
        .slice(from - 1, to)
        .join('\n'),
    search: (pattern) => {
      const found = [...files.keys()]
        .sort()
        .flatMap((path) =>
          linesOf(path).flatMap((line, index) =>
            line.includes(pattern) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
          ),
        )
      return found.length === 0 ? 'no matches' : found.join('\n')
    },
    edit: (path, oldText, newText) => {
      if (oldText === '') {
        files.set(path, newText)
        return `created ${path} (${newText.trimEnd().split('\n').length} lines)`
      }
      const text = linesOf(path).join('\n')
      const [before, after, ...more] = text.split(oldText)
      if (before === undefined || after === undefined || more.length > 0) {
        throw new Error(`the session edits ${path} at a text that does not stand there once`)
      }
      files.set(path, `${before}${newText}${after}`)
      return `edited ${path} at line ${before.split('\n').length}`
    },
  }
}
