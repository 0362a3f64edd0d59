/** What the check for known vulnerabilities makes of the answers of a registry, as npm prints them. */
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pathInRepository } from '../../../scripts/generated-files.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-advisories-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** Runs the check where `npm` prints this, and ends as npm does after it. */
async function checkWith(printed: string, exitCode: number) {
  const npm = join(folder, 'npm')
  await writeFile(join(folder, 'printed'), printed)
  await writeFile(npm, `#!/bin/sh\ncat "${join(folder, 'printed')}"\nexit ${exitCode}\n`)
  await chmod(npm, 0o755)
  return spawnSync(
    process.execPath,
    ['--import', 'tsx', pathInRepository('scripts/check-advisories.ts')],
    {
      cwd: pathInRepository('.'),
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
      encoding: 'utf8',
    },
  )
}

const report = (severity: string) =>
  JSON.stringify({ vulnerabilities: { 'some-package': { severity, range: '<1.2.3' } } })

test.each([
  ['nothing known', JSON.stringify({ vulnerabilities: {} }), 0, '0 known'],
  ['a moderate one', report('moderate'), 0, 'some-package <1.2.3'],
  ['a high one', report('high'), 1, 'some-package <1.2.3'],
  ['a critical one', report('critical'), 1, 'some-package <1.2.3'],
  ['no report', JSON.stringify({ message: '405 Method Not Allowed' }), 0, 'NOT RUN'],
  ['no JSON', 'npm error', 0, 'NOT RUN'],
])('with %s', async (_, printed, status, words) => {
  const ended = await checkWith(printed, 1)
  expect(ended.stdout).toContain(words)
  expect(ended.status).toBe(status)
})
