import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildTestApp, type TestApp } from '../helpers/build-app.ts'

let service: TestApp
beforeAll(async () => {
  service = await buildTestApp()
  await service.app.ready()
})
afterAll(() => service.app.close())

it('lists the errors of JSON-RPC, which have a shape of their own, and answers in it', async () => {
  const document = (await service.app.inject('/openapi.json')).json()
  const { responses } = document.paths['/'].post
  expect(Object.keys(responses).sort()).toEqual(['200', '204', '4XX', '5XX'])
  const { properties } = responses['4XX'].content['application/json'].schema
  const answer = await service.app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    payload: '{"jsonrpc":',
  })
  expect(answer.statusCode).toBe(400)
  expect(Object.keys(answer.json()).sort()).toEqual(Object.keys(properties).sort())
})
