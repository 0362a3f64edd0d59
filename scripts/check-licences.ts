/**
 * Lists the licences of all that is installed with the service, and fails for one that has not been
 * looked at. `npm run licences` prints the list.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** SPDX names that go with Apache-2.0 without a condition beyond naming the authors. */
const ALLOWED: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
])

interface Manifest {
  readonly name?: string
  readonly version?: string
  readonly license?: string | { readonly type?: string }
}

const folders = execFileSync('npm', ['ls', '--all', '--omit=dev', '--parseable'], {
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  // The first is the service itself.
  .slice(1)

const licences = folders
  .map((folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest)
  .map(({ name = '?', version = '?', license }) => ({
    package: `${name}@${version}`,
    licence: (typeof license === 'string' ? license : license?.type) ?? 'none',
  }))

for (const { package: name, licence } of licences) console.log(`${licence}\t${name}`)
const strange = licences.filter(({ licence }) => !isAllowed(licence))
if (strange.length > 0) {
  const names = strange.map(({ package: name, licence }) => `${name} (${licence})`)
  console.error(`not looked at yet: ${names.join(', ')}`)
  process.exit(1)
}

/** Of "A OR B" one is enough, of "A AND B" all are needed. */
function isAllowed(expression: string): boolean {
  const plain = expression.replaceAll(/[()]/g, '')
  return plain
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((name) => ALLOWED.has(name.trim())))
}
