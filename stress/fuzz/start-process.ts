import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../test/helpers/free-port.ts'
import { createServiceClient, type ServiceClient } from '../../test/helpers/service-client.ts'

export interface FuzzedProcess extends ServiceClient {
  readonly url: string
  readonly pid: number
  /** Everything that it has written: nothing, while it has no fault to tell of. */
  readonly logText: () => string
  readonly hasEnded: () => boolean
  /** SIGTERM, and SIGKILL where that is not enough; resolves to the exit code, null for a signal. */
  readonly stop: () => Promise<number | null>
}

const START_MS = 60_000
const STOP_MS = 40_000
const POLL_MS = 50

/**
 * A service that writes only of its own faults, so that whatever it writes is a finding. It does not
 * say then where it listens, and is asked until it answers.
 */
export async function startProcess(
  file: string,
  environment: Readonly<Record<string, string>>,
): Promise<FuzzedProcess> {
  const port = await freePort()
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('PRECIS_'))
  const loader = file.endsWith('.ts') ? ['--import', 'tsx'] : ['--enable-source-maps']
  const child = spawn(process.execPath, [...loader, file], {
    env: {
      ...Object.fromEntries(inherited),
      PRECIS_HOST: '127.0.0.1',
      PRECIS_PORT: String(port),
      PRECIS_LOG_LEVEL: 'error',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  // A fuzzer that breaks off must not leave it behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  let text = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  }
  let ended = false
  const exit = once(child, 'close').then(([code]) => {
    ended = true
    process.off('exit', kill)
    return code as number | null
  })
  const url = `http://127.0.0.1:${port}`
  const client = createServiceClient(url)
  const end = performance.now() + START_MS
  while (!(await answers(client))) {
    if (ended || performance.now() > end) {
      kill()
      throw new Error(`the service does not answer: ${text}`)
    }
    await sleep(POLL_MS)
  }
  return {
    ...client,
    url,
    pid: child.pid ?? 0,
    logText: () => text,
    hasEnded: () => ended,
    stop: async () => {
      await client.close()
      child.kill('SIGTERM')
      const timer = setTimeout(kill, STOP_MS)
      const code = await exit
      clearTimeout(timer)
      return code
    },
  }
}

async function answers(client: ServiceClient): Promise<boolean> {
  try {
    return (await client.send('/readyz')).statusCode === 200
  } catch {
    return false
  }
}
