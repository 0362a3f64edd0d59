import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

it('holds on to no text that has been counted', () => {
  const script = fileURLToPath(new URL('./count-many-texts.ts', import.meta.url))
  const args = ['--expose-gc', '--import', 'tsx', script]
  const grown = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  // The texts are 40 MB.
  expect(grown).toBeLessThan(8e6)
  expect(grown).toBeGreaterThan(-40e6)
}, 180_000)
