import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { pathInRepository } from '../../../scripts/generated-files.ts'
import { START_PROCESS_MS } from '../../helpers/start-service-process.ts'

test('the example transcript is what its script writes', { timeout: START_PROCESS_MS }, () => {
  const script = pathInRepository('scripts/write-example-transcript.ts')
  const check = spawnSync(process.execPath, ['--import', 'tsx', script, '--check'], {
    encoding: 'utf8',
  })
  expect([check.status, check.stderr]).toEqual([0, ''])
})
