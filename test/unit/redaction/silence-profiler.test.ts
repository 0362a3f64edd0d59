import { performance } from 'node:perf_hooks'
import { secretLintProfiler } from '@secretlint/profiler'
import { expect, it } from 'vitest'
import { findSecrets } from '../../../src/redaction/find-secrets.ts'

it('looking for secrets leaves nothing behind that stays for ever', async () => {
  const marks = () => performance.getEntriesByType('mark').length
  const before = marks()
  for (let text = 0; text < 20; text += 1) await findSecrets(`nothing secret in text ${text}`)
  // Marks are handed to their observers in a later turn of the event loop.
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(marks() - before).toBe(0)
  expect(await secretLintProfiler.getEntries()).toEqual([])
})
