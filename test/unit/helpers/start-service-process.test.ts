import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { START_PROCESS_MS, startServiceProcess } from '../../helpers/start-service-process.ts'

const LINE = '{"msg":"listening","url":"http://127.0.0.1:9"}'

it('a log line of which half has come is none yet', { timeout: START_PROCESS_MS }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'precis-process-'))
  const file = join(folder, 'half-a-line.mjs')
  writeFileSync(file, `process.stdout.write('${LINE}\\n{"msg":"half')\nsetInterval(() => {}, 1000)`)
  try {
    const service = await startServiceProcess({ file })
    await expect.poll(service.logText, { timeout: 10_000 }).toContain('half')
    expect(service.logLines()).toEqual([JSON.parse(LINE)])
    await service.stop()
  } finally {
    rmSync(folder, { recursive: true })
  }
})
