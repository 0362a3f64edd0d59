import { expect, it } from 'vitest'
import { openRaw, readWhole } from '../../helpers/proxy/raw-client.ts'
import { startRawUpstream } from '../../helpers/proxy/raw-upstream.ts'

it('an answer that broke off before anybody came to read it is not waited for', async () => {
  const upstream = await startRawUpstream((request, response) => {
    response.writeHead(200, { 'content-length': 10 }).flushHeaders()
    request.socket.end()
  })
  try {
    const response = await openRaw(upstream.origin)
    await expect.poll(() => response.closed, { timeout: 10_000 }).toBe(true)
    expect(await readWhole(response)).toMatchObject({ status: 200, isWhole: false })
  } finally {
    await upstream.close()
  }
})
