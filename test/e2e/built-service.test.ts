/** The service as it is shipped: compiled, without tsx, on the bundled example. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  BUILD_MS,
  type BuiltProject,
  buildProject,
  PROJECT_ROOT,
} from '../helpers/build-project.ts'
import type { CompactAnswer } from '../helpers/service-answers.ts'
import { type ServiceProcess, startServiceProcess } from '../helpers/start-service-process.ts'
import { findFaults, newFaults } from '../helpers/wire-rules/index.ts'

let project: BuiltProject
let service: ServiceProcess

beforeAll(async () => {
  project = await buildProject()
  service = await startServiceProcess({ file: join(project.folder, 'dist/server.js') })
}, BUILD_MS)

afterAll(async () => {
  await service?.stop()
  await project?.remove()
})

async function readExample() {
  const text = await readFile(join(PROJECT_ROOT, 'examples/coding-session.json'), 'utf8')
  return { text, request: JSON.parse(text) }
}

test('the built service compacts the example into its target, and breaks no rule', async () => {
  const { text, request } = await readExample()
  expect(findFaults('openai-chat', request)).toEqual([])
  const response = await service.send('/compact', { method: 'POST', body: text })
  expect(response.statusCode, response.body.slice(0, 500)).toBe(200)
  const answer = JSON.parse(response.body) as CompactAnswer

  expect(answer).toMatchObject({ outcome: 'compacted', fits: true, format: 'openai-chat' })
  expect(answer.tokensAfter).toBeLessThan(answer.tokensBefore)
  expect(answer.tokensAfter).toBeLessThanOrEqual(request.targetTokens)
  expect(findFaults('openai-chat', { ...request, messages: answer.messages })).toEqual([])
  expect(newFaults('openai-chat', request, { ...request, messages: answer.messages })).toEqual([])

  const { messages } = request
  expect(answer.messages.slice(0, 2)).toEqual(messages.slice(0, 2))
  expect(answer.messages.at(-1)).toEqual(messages.at(-1))
  expect(answer.actions.every(({ reason }) => reason !== '')).toBe(true)
  const saved = answer.actions.reduce((sum, each) => sum + each.tokensBefore - each.tokensAfter, 0)
  expect(saved).toBe(answer.tokensBefore - answer.tokensAfter)
})

test('the answer posted again stays as it is (P10)', async () => {
  const { text, request } = await readExample()
  const first = JSON.parse((await service.send('/compact', { method: 'POST', body: text })).body)
  const again = await service.ask<CompactAnswer>('/compact', {
    ...request,
    messages: first.messages,
  })
  expect(again).toMatchObject({ outcome: 'unchanged', fits: true, actions: [] })
  expect(again.tokensBefore).toBe(first.tokensAfter)
  expect(again.messages).toEqual(first.messages)
})

test('the built service counts what it did, describes itself, and stops when told', async () => {
  expect((await service.metrics()).by('precis_compactions_total', 'outcome')).toEqual({
    compacted: 2,
    unchanged: 1,
  })
  const document = JSON.parse((await service.send('/openapi.json')).body)
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining(['/compact', '/budget', '/summary-check']),
  )
  expect(await service.stop()).toBe(0)
  expect(service.logLines().at(-1)).toMatchObject({ msg: 'stopped' })
})
