import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface UiFile {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
}

/** What `npm run build` makes of ui/, and as what it is served. */
const FILES = {
  'index.html': 'text/html; charset=utf-8',
  'inspector.js': 'text/javascript; charset=utf-8',
  'inspector.css': 'text/css; charset=utf-8',
  'example.json': 'application/json',
} as const

export type UiFileName = keyof typeof FILES
export const UI_FILE_NAMES = Object.keys(FILES) as readonly UiFileName[]

export type UiFiles = Readonly<Record<UiFileName, UiFile>>

/** Beside the compiled code, and for code that runs from its sources where the build has put it. */
const FOLDERS = [new URL('../ui/', import.meta.url), new URL('../../dist/ui/', import.meta.url)]

/** The built page, held in memory: it is small. Undefined where it was not built. */
export function readUiFiles(folders: readonly URL[] = FOLDERS): UiFiles | undefined {
  for (const folder of folders) {
    try {
      const files = UI_FILE_NAMES.map((name) => [name, readFile(new URL(name, folder), name)])
      return Object.fromEntries(files) as UiFiles
    } catch {
      // Not here; perhaps in the next.
    }
  }
  return undefined
}

function readFile(url: URL, name: UiFileName): UiFile {
  const bytes = readFileSync(url)
  return { type: FILES[name], bytes, etag: etagOf(bytes) }
}

export function etagOf(bytes: Buffer | string): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
}
