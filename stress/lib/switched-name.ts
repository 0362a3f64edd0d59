import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface SwitchedName {
  readonly name: string
  /** For a Node.js process that is to know the name. */
  readonly environment: Readonly<Record<string, string>>
  readonly setKnown: (isKnown: boolean) => void
  readonly close: () => void
}

/** RFC 6761: no resolver ever knows a name below it. */
const NAME = 'model.invalid'

/**
 * A name that stands for 127.0.0.1 in one process, as an entry of a hosts file would make it, until it
 * is unknown: then the system's own resolver is asked, and fails as it fails for any such name.
 */
export function createSwitchedName(): SwitchedName {
  const folder = mkdtempSync(join(tmpdir(), 'precis-name-'))
  const file = join(folder, 'unknown')
  const preload = `
    import dns from 'node:dns'
    import { existsSync } from 'node:fs'
    const { lookup } = dns
    dns.lookup = (name, ...rest) =>
      lookup(name === '${NAME}' && !existsSync(${JSON.stringify(file)}) ? '127.0.0.1' : name, ...rest)
  `
  return {
    name: NAME,
    environment: {
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}`,
    },
    setKnown: (isKnown) => {
      if (isKnown) rmSync(file, { force: true })
      else if (!existsSync(file)) writeFileSync(file, '')
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  }
}
