import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { pathInRepository } from '../../../scripts/generated-files.ts'

const read = (path: string) => readFile(pathInRepository(path), 'utf8')

test('CI runs every check that is asked for before a commit, and looks for known vulnerabilities', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: { check: string } }
  const asked = [...scripts.check.matchAll(/npm run (?:--silent )?([\w:]+)/g)].map(
    ([, name]) => name,
  )
  expect(asked.length).toBeGreaterThan(5)
  const ran = [...(await read('test.sh')).matchAll(/npm run --silent ([\w:]+)/g)].map(
    ([, name]) => name,
  )
  // All tests are run, the fast ones with them.
  expect(ran).toEqual(
    expect.arrayContaining([...asked.filter((name) => name !== 'test:fast'), 'advisories']),
  )
})
