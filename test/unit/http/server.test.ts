import { request } from 'undici'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { expectProblem } from '../../helpers/expect-problem.ts'
import { freePort } from '../../helpers/free-port.ts'
import { type ServiceProcess, startProcess } from '../../helpers/service-process.ts'
import { START_PROCESS_MS } from '../../helpers/start-service-process.ts'

// Each test starts a process or two.
vi.setConfig({ testTimeout: 2 * START_PROCESS_MS })

const SERVER = 'src/server.ts'
const SLOW = 'test/unit/http/slow-service.ts'

let service: ServiceProcess | undefined
afterEach(async () => {
  service?.child.kill('SIGKILL')
  await service?.exit
  service = undefined
})

function start(file: string, environment?: Record<string, string>): ServiceProcess {
  service = startProcess(file, environment)
  return service
}

async function fetchText(url: string, options: Parameters<typeof request>[1] = {}) {
  const response = await request(url, options)
  return { ...response, body: await response.body.text() }
}

describe('the process', () => {
  it('says in one line of JSON where it listens, and does', async () => {
    const port = await freePort()
    const running = start(SERVER, { PRECIS_PORT: String(port) })
    expect(await running.logLine('listening')).toMatchObject({
      level: 30,
      url: `http://127.0.0.1:${port}`,
    })
    expect((await fetchText(`${await running.url()}/readyz`)).statusCode).toBe(200)
    expect(running.logLines().map(({ msg }) => msg)).toEqual(['starting', 'listening'])
  })

  it('warns of variables that it does not know, and shows no key', async () => {
    const running = start(SERVER, { PRECIS_PROT: '1', PRECIS_API_KEYS: 'secret-key-1' })
    await running.url()
    expect(await running.logLine('unknown variable')).toMatchObject({
      level: 40,
      warning: expect.stringContaining('PRECIS_PROT'),
    })
    expect(running.logText()).not.toContain('secret-key-1')
  })

  it('names every fault of its configuration and does not start', async () => {
    const running = start(SERVER, { PRECIS_PORT: 'many', PRECIS_DECIDE_WIRE: 'systemone' })
    expect(await running.exit).toBe(1)
    expect(running.logLines()).toMatchObject([
      { level: 60, faults: [{ variable: 'PRECIS_PORT', detail: 'must be integer' }] },
    ])
  })

  it('says so when the address is taken', async () => {
    const first = start(SERVER)
    const { port } = new URL(await first.url())
    const second = startProcess(SERVER, { PRECIS_PORT: port })
    expect(await second.exit).toBe(1)
    expect(second.logLines().at(-1)).toMatchObject({
      msg: 'cannot listen',
      err: { code: 'EADDRINUSE' },
    })
  })

  it.each(['SIGTERM', 'SIGINT'] as const)('stops on %s with exit code 0', async (signal) => {
    const running = start(SERVER)
    await running.url()
    running.child.kill(signal)
    expect(await running.exit).toBe(0)
    expect(running.logLines().at(-1)).toMatchObject({ msg: 'stopped' })
  })
})

describe('the process on SIGTERM', () => {
  it('finishes what is in progress, takes no more, and says so to probes', async () => {
    const running = start(SLOW)
    const url = await running.url()
    const slow = fetchText(`${url}/slow`, { method: 'POST' })
    await running.logLine('working')
    running.child.kill('SIGTERM')
    await running.logLine('shutting down')

    const readiness = await fetchText(`${url}/readyz`)
    expect(readiness.statusCode).toBe(503)
    expectProblem(await fetchText(`${url}/slow`, { method: 'POST' }), 'shutting-down')
    running.child.kill('SIGCONT')

    expect(await slow).toMatchObject({ statusCode: 200, body: '{"done":true}' })
    expect(await running.exit).toBe(0)
  })

  it('still takes work for as long as load balancers need to notice', async () => {
    const running = start(SLOW, { PRECIS_SHUTDOWN_DELAY_MS: '3000' })
    const url = await running.url()
    running.child.kill('SIGTERM')
    await running.logLine('shutting down')
    expect((await fetchText(`${url}/readyz`)).statusCode).toBe(503)
    const slow = fetchText(`${url}/slow`, { method: 'POST' })
    await running.logLine('working')
    running.child.kill('SIGCONT')
    expect((await slow).statusCode).toBe(200)
    expect(await running.exit).toBe(0)
  })

  it('cuts off what outlasts the grace, and admits it by its exit code', async () => {
    const running = start(SLOW, { PRECIS_SHUTDOWN_GRACE_MS: '300' })
    const url = await running.url()
    const slow = fetchText(`${url}/slow`, { method: 'POST' }).then(
      () => 'answered',
      () => 'cut off',
    )
    await running.logLine('working')
    running.child.kill('SIGTERM')
    expect(await slow).toBe('cut off')
    expect(await running.exit).toBe(1)
    expect(await running.logLine('the grace is over')).toMatchObject({ level: 40, abandoned: 1 })
  })
})
