/**
 * Asks the registry for known vulnerabilities of what is installed with the service, and fails for a grave
 * one. A registry that has no such answer (a mirror) is named, and is no failure. `npm run advisories`.
 */
import { spawnSync } from 'node:child_process'

const GRAVE: ReadonlySet<string> = new Set(['high', 'critical'])

interface Audit {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly range: string }>
  >
  /** In place of a report, what came of asking for one. */
  readonly message?: string
}

const { stdout, error } = spawnSync(
  'npm',
  // A registry that hangs has no answer either.
  ['audit', '--omit=dev', '--json', '--fetch-timeout=20000', '--fetch-retries=1'],
  { encoding: 'utf8' },
)
if (error !== undefined) throw error
const { vulnerabilities, message } = parse(stdout)
if (vulnerabilities === undefined) {
  console.log(`NOT RUN: the registry gave no report (${message ?? 'nothing that is JSON'})`)
} else {
  const found = Object.entries(vulnerabilities)
  for (const [name, { severity, range }] of found) console.log(`${severity}\t${name} ${range}`)
  console.log(`${found.length} known vulnerabilities`)
  process.exitCode = found.some(([, { severity }]) => GRAVE.has(severity)) ? 1 : 0
}

function parse(text: string): Audit {
  try {
    return JSON.parse(text) as Audit
  } catch {
    return {}
  }
}
