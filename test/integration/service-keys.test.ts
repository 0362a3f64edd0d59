/** Keys that come and go, limits by key, and a listener for operators. */
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildAdminApp } from '../../src/admin-app.ts'
import { buildTestApp } from '../helpers/build-app.ts'
import { expectProblem } from '../helpers/expect-problem.ts'
import { createServiceClient } from '../helpers/service-client.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { START_PROCESS_MS, startServiceProcess } from '../helpers/start-service-process.ts'

const BODY = { messages: [{ role: 'user', content: 'hello' }], targetTokens: 100 }
const FIRST = 'first-key-of-the-file'
const SECOND = 'second-key-of-the-file'
const FIXED = 'a-key-that-is-fixed'
const SOON = { timeout: 10_000, interval: 100 }

let folder: string
const closing: (() => Promise<void>)[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-keys-'))
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await rm(folder, { recursive: true })
})

async function start(environment: Readonly<Record<string, string>>): Promise<RunningService> {
  const service = await startService(environment)
  closing.push(service.close)
  return service
}

const post = (service: RunningService, key?: string, body: unknown = BODY) =>
  service.send('/compact', {
    method: 'POST',
    body,
    ...(key !== undefined && { headers: { authorization: `Bearer ${key}` } }),
  })

const statusWith = async (service: RunningService, key?: string) =>
  (await post(service, key)).statusCode

describe('a file of keys', () => {
  const write = async (text: string) => {
    // Swapped, as mounted secrets are: never half written.
    await writeFile(join(folder, 'next'), text)
    await rename(join(folder, 'next'), join(folder, 'keys'))
  }

  it('lets keys come and go while the service runs, beside those that are fixed', async () => {
    await write(`# of the build\n\n${FIRST}\n`)
    const file = join(folder, 'keys')
    const service = await start({ PRECIS_API_KEYS: FIXED, PRECIS_API_KEYS_FILE: file })
    expect(await statusWith(service, FIRST)).toBe(200)
    expect(await statusWith(service, SECOND)).toBe(401)
    await write(`${SECOND}\n`)
    await vi.waitFor(async () => expect(await statusWith(service, SECOND)).toBe(200), SOON)
    expect(await statusWith(service, FIRST)).toBe(401)
    expect(await statusWith(service, FIXED)).toBe(200)
  })

  it('keeps the keys that it had where it cannot be read any more, or holds what is no key', async () => {
    await write(FIRST)
    const service = await start({ PRECIS_API_KEYS_FILE: join(folder, 'keys') })
    await write(`${SECOND}\nshort`)
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(await statusWith(service, FIRST)).toBe(200)
    expect(await statusWith(service, SECOND)).toBe(401)
    await rm(join(folder, 'keys'))
    await new Promise((resolve) => setTimeout(resolve, 2_500))
    expect(await statusWith(service, FIRST)).toBe(200)
    expect(service.logText()).not.toContain('second-key')
  })

  it(
    'is told of in the log whenever it has changed: how many keys, and none of them',
    async () => {
      await write(`${FIRST}\n`)
      const file = join(folder, 'keys')
      const service = await startServiceProcess({ environment: { PRECIS_API_KEYS_FILE: file } })
      closing.push(service.close)
      const told = () =>
        service.logLines().flatMap(({ msg, keys }) => (String(msg).includes('keys') ? [keys] : []))
      expect(told()).toEqual([])
      await write(`${FIRST}\n${SECOND}\n`)
      await vi.waitFor(() => expect(told()).toEqual([2]), SOON)
      await write('# all are revoked\n')
      await vi.waitFor(() => expect(told()).toEqual([2, 0]), SOON)
      expect(service.logText()).not.toContain('of-the-file')
    },
    START_PROCESS_MS,
  )

  it('lets nobody in while it holds no key', async () => {
    await write('# none yet\n')
    const service = await start({ PRECIS_API_KEYS_FILE: join(folder, 'keys') })
    expect(await statusWith(service)).toBe(401)
    expect(await statusWith(service, FIRST)).toBe(401)
  })
})

describe('limits of a minute', () => {
  it('hold for each key by itself, and say when there is room again', async () => {
    const service = await start({
      PRECIS_API_KEYS: `${FIRST},${SECOND}`,
      PRECIS_RATE_LIMIT_REQUESTS: '3',
    })
    for (let request = 0; request < 3; request += 1) {
      expect(await statusWith(service, FIRST)).toBe(200)
    }
    const refused = await post(service, FIRST)
    expectProblem(refused, 'rate-limited')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect(await statusWith(service, SECOND)).toBe(200)
    expect((await service.send('/healthz')).statusCode).toBe(200)
    expect(
      (await service.metrics()).sum('precis_http_problems_total', { code: 'rate-limited' }),
    ).toBe(1)
  })

  it('count bytes as well, be their number told before or not', async () => {
    const service = await start({ PRECIS_RATE_LIMIT_BYTES: '1000' })
    const body = { ...BODY, messages: [{ role: 'user', content: 'x'.repeat(500) }] }
    expect((await post(service, undefined, body)).statusCode).toBe(200)
    expect((await post(service, undefined, body)).statusCode).toBe(429)
    const chunked = await start({ PRECIS_RATE_LIMIT_BYTES: '1000' })
    const send = () =>
      fetch(`${chunked.url}/compact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Blob([JSON.stringify(body)]).stream(),
        duplex: 'half',
      } as RequestInit)
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(429)
  })
})

describe('a listener for operators', () => {
  it('has the metrics and the probes, and the other one no metrics any more', async () => {
    const { app, services, listen } = await buildTestApp({
      environment: { PRECIS_ADMIN_PORT: '0' },
    })
    const admin = await buildAdminApp({ services })
    closing.push(
      () => app.close(),
      () => admin.close(),
    )
    const main = createServiceClient(await listen())
    const apart = createServiceClient(await admin.listen({ host: '127.0.0.1', port: 0 }))
    closing.push(main.close, apart.close)
    expect((await main.send('/metrics')).statusCode).toBe(404)
    await main.ask('/compact', BODY)
    expect((await apart.metrics()).sum('precis_compactions_total')).toBe(1)
    expect((await apart.send('/readyz')).statusCode).toBe(200)
    expect((await apart.send('/compact')).statusCode).toBe(404)
  })
})
