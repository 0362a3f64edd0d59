/** The keys of the service, of which some may come and go while it runs. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { API_KEY } from '../config/rules.ts'

export interface KeyRing {
  /** Whether callers are asked for a key at all. A file without keys asks, and lets nobody in. */
  readonly isAsked: boolean
  /**
   * A short name of the key, the same for the same key and of no use to whoever reads it; undefined
   * where it is none of the service's.
   */
  readonly recognise: (key: string) => string | undefined
  readonly close: () => void
}

export interface KeyRingOptions {
  /** Keys that hold as long as the process lives. */
  readonly keys: readonly string[]
  /** File with one key a line; empty lines and those that begin with # are no keys. */
  readonly file: string | undefined
  /** Told when the file cannot be read or holds a line that is no key: the keys before it still hold. */
  readonly onFault?: (detail: string) => void
  /** Told how many keys the file holds, whenever that file has changed while the service runs. */
  readonly onChange?: (count: number) => void
}

/** How soon a change of the file is seen. Mounted secrets are swapped in ways that no watcher hears of. */
const READ_EVERY_MS = 2_000

/** Hexadecimal digits of a digest that name a key. */
const NAME_LENGTH = 12

/** @throws Error when the file cannot be read at the start, or holds a line that is no key */
export function createKeyRing({ keys, file, onFault, onChange }: KeyRingOptions): KeyRing {
  const fixed = keys.map(digest)
  let text = ''
  let fromFile: readonly Buffer[] = []
  /** Whether it has changed. */
  const read = (path: string): boolean => {
    const next = readFileSync(path, 'utf8')
    if (next === text) return false
    fromFile = parse(next).map(digest)
    text = next
    return true
  }
  let timer: NodeJS.Timeout | undefined
  if (file !== undefined) {
    read(file)
    let told = ''
    timer = setInterval(() => {
      try {
        if (read(file)) onChange?.(fromFile.length)
        told = ''
      } catch (error) {
        const detail = faultOf(error)
        if (detail !== told) onFault?.(detail)
        told = detail
      }
    }, READ_EVERY_MS)
    timer.unref()
  }

  return {
    isAsked: keys.length > 0 || file !== undefined,
    recognise: (key) => {
      const candidate = digest(key)
      // Every one is compared, by digests of equal length: time tells neither which nor how nearly.
      let found = false
      for (const known of fixed) found = timingSafeEqual(known, candidate) || found
      for (const known of fromFile) found = timingSafeEqual(known, candidate) || found
      return found ? candidate.toString('hex', 0, NAME_LENGTH / 2) : undefined
    },
    close: () => clearInterval(timer),
  }
}

function parse(text: string): string[] {
  const keys = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  if (keys.every((key) => API_KEY.test(key))) return keys
  throw new Error('holds a line that is no key of 8 to 512 visible ASCII characters')
}

/** The system's code or the rule that is broken: neither shows a line of the file. */
function faultOf(error: unknown): string {
  if (!(error instanceof Error)) return 'cannot be read'
  return 'code' in error ? `cannot be read (${String(error.code)})` : error.message
}

function digest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
