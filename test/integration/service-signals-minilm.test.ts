/** The process of the encoder, when its service is told to end before it is up, or has ended. */
import { readFile, rm } from 'node:fs/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { installationWith, MINILM_FOLDER, runsMinilm } from '../helpers/minilm.ts'
import { expectNothingPlanted, plant } from '../helpers/planted.ts'
import { childrenOf, commandOf, isRunning } from '../helpers/processes.ts'
import { eventually } from '../helpers/proxy/raw-client.ts'
import { type ServiceProcess, startProcess } from '../helpers/service-process.ts'
import { START_PROCESS_MS } from '../helpers/start-service-process.ts'

const TEST_MS = 2 * START_PROCESS_MS

/** Holds the thread for a while, as a native part does that is loaded, and then never comes to an end. */
const ENDLESS = `
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_000)
module.exports = { InferenceSession: { create: () => new Promise(() => {}) } }
`

let service: ServiceProcess | undefined
let endless: string | undefined
afterEach(async () => {
  service?.child.kill('SIGKILL')
  await service?.exit
  service = undefined
  if (endless !== undefined) await rm(endless, { recursive: true })
  endless = undefined
})

function start(folder: string): ServiceProcess {
  service = startProcess('src/server.ts', {
    PRECIS_DECIDE_EMBEDDED_MODEL: 'minilm',
    PRECIS_DECIDE_MINILM_FOLDER: folder,
    PRECIS_API_KEYS: plant('key'),
  })
  return service
}

async function encoderOf({ child, logLine }: ServiceProcess): Promise<number> {
  await logLine('starting')
  await eventually(() => encodersOf(child.pid).length > 0, START_PROCESS_MS)
  return encodersOf(child.pid)[0] ?? 0
}

/** What tsx starts beside it is none. */
function encodersOf(pid: number | undefined): number[] {
  return childrenOf(pid ?? 0).filter((child) => commandOf(child).includes('encoder-process'))
}

describe.runIf(runsMinilm)('the process of the encoder', () => {
  it(
    'ends with a service that is told to end while it waits for the model',
    async () => {
      endless = installationWith(ENDLESS)
      const starting = start(endless)
      const encoder = await encoderOf(starting)
      expect(starting.logLines().map(({ msg }) => msg)).toEqual(['starting'])
      starting.child.kill('SIGTERM')
      expect(await starting.exit).toBe(0)
      expect(starting.logLines().at(-1)).toMatchObject({ msg: 'stopped while starting' })
      await eventually(() => !isRunning(encoder), 20_000)
    },
    TEST_MS,
  )

  it(
    'is given no key, and tells nobody of its use',
    async () => {
      const running = start(MINILM_FOLDER)
      await running.url()
      const environment = await readFile(`/proc/${await encoderOf(running)}/environ`, 'utf8')
      expect(environment.split('\0')).toContain('ORT_DISABLE_TELEMETRY=1')
      expectNothingPlanted(environment)
    },
    TEST_MS,
  )
})
