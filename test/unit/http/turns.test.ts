import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { buildTestApp } from '../../helpers/build-app.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const CALLERS = 60

async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  closing.push(() => socket.destroy())
  return socket
}

/** A service with a route whose work holds up the event loop for some milliseconds, and counts. */
async function start() {
  let works = 0
  const { app, listen, logLines } = await buildTestApp({
    extend: (extended) => {
      extended.post('/work', async () => {
        works += 1
        const until = performance.now() + 5
        while (performance.now() < until);
        return { done: true }
      })
    },
  })
  const port = Number(new URL(await listen()).port)
  closing.push(() => app.close())
  const accepted = () =>
    new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))
  return { port, works: () => works, logLines, accepted }
}

const post = (body = '{}') =>
  `POST /work HTTP/1.1\r\nhost: test\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

describe('many requests that come at once', () => {
  it.each([
    // The kernel has them, the event loop not yet: it accepts one at each look.
    ['on new connections', 0],
    ['on kept connections', CALLERS + 1],
  ])('do not keep a probe waiting until the last of them is done: %s', async (_name, least) => {
    const { port, works, accepted } = await start()
    const callers = await Promise.all(Array.from({ length: CALLERS }, () => openSocket(port)))
    const probe = await openSocket(port)
    await expect.poll(accepted, { timeout: 10_000 }).toBeGreaterThanOrEqual(least)
    for (const socket of callers) socket.write(post())
    probe.write('GET /healthz HTTP/1.1\r\nhost: test\r\n\r\n')
    const [answer] = await once(probe, 'data')
    const done = works()
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /)
    expect(done).toBeLessThan(CALLERS / 2)
    await Promise.all(callers.map((socket) => socket.bytesRead > 0 || once(socket, 'data')))
    expect(works()).toBe(CALLERS)
  })

  it('have no work done for those who have left before their turn', async () => {
    const { port, works, logLines } = await start()
    const callers = await Promise.all(Array.from({ length: CALLERS }, () => openSocket(port)))
    for (const socket of callers) socket.write(post())
    const [first, ...others] = callers
    await once(first as Socket, 'data')
    for (const socket of others) socket.destroy()
    const gone = () => logLines().filter(({ status }) => status === 499).length
    await expect.poll(() => gone() + works(), { timeout: 10_000 }).toBeGreaterThanOrEqual(CALLERS)
    await sleep(200)
    expect(works()).toBeLessThan(CALLERS / 2)
  })
})
