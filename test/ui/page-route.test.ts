import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readUiFiles, type UiFiles } from '../../src/http/ui-files.ts'
import { buildTestApp, type TestApp } from '../helpers/build-app.ts'
import { buildUi } from './support/chromium.ts'

let folder: string
let uiFiles: UiFiles
const apps: TestApp[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'precis-ui-'))
  buildUi(folder)
  const files = readUiFiles([pathToFileURL(`${folder}/`)])
  if (files === undefined) throw new Error('the page was not built')
  uiFiles = files
})

afterAll(async () => {
  for (const { app } of apps) await app.close()
  await rm(folder, { recursive: true, force: true })
})

async function start(environment: Readonly<Record<string, string>> = {}) {
  const started = await buildTestApp({ environment, uiFiles })
  apps.push(started)
  return started.app
}

describe('/ui', () => {
  it('serves the page and what it links, each as what it is', async () => {
    const app = await start()
    const types = {
      '': 'text/html',
      '/inspector.js': 'text/javascript',
      '/inspector.css': 'text/css',
    }
    for (const [path, type] of Object.entries(types)) {
      const answer = await app.inject(`/ui${path}`)
      expect([path, answer.statusCode]).toEqual([path, 200])
      expect(answer.headers['content-type']).toContain(type)
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
  })

  it('lets nothing in from elsewhere, and nothing inline', async () => {
    const app = await start()
    const { headers, body } = await app.inject('/ui')
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    expect(body).not.toMatch(/https?:\/\/(?!www\.w3\.org\/2000\/svg)/)
    expect(body).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=/)
  })

  it('answers 304 to whoever has it already', async () => {
    const app = await start()
    const first = await app.inject('/ui/inspector.js')
    const etag = String(first.headers.etag)
    const again = await app.inject({ url: '/ui/inspector.js', headers: { 'if-none-match': etag } })
    expect([again.statusCode, again.body]).toEqual([304, ''])
    const other = await app.inject({ url: '/ui/inspector.js', headers: { 'if-none-match': '"x"' } })
    expect(other.statusCode).toBe(200)
  })

  it('is at one address', async () => {
    const app = await start()
    const answer = await app.inject('/ui/')
    expect([answer.statusCode, answer.headers.location]).toEqual([308, '../ui'])
  })

  it('is not there once it is switched off', async () => {
    const app = await start({ PRECIS_UI: 'off' })
    for (const path of ['/ui', '/ui/inspector.js', '/ui/settings.json', '/ui/example.json']) {
      expect([path, (await app.inject(path)).statusCode]).toEqual([path, 404])
    }
  })

  it('needs no key, tells that the service wants one, and no secret', async () => {
    const app = await start({
      PRECIS_API_KEYS: 'a-very-secret-key',
      PRECIS_DEFAULT_PROFILE: 'agent',
    })
    const answer = await app.inject('/ui/settings.json')
    expect(answer.json()).toMatchObject({
      keyRequired: true,
      defaultProfile: 'agent',
      profiles: { agent: { relevance: { toolExchanges: 'clear', minDropConfidence: 0.6 } } },
      decide: { wire: 'embedded', order: 'least-needed-first', riskBudget: 0.05 },
    })
    expect(answer.body).not.toContain('secret')
    const refused = await app.inject({ method: 'POST', url: '/compact', payload: {} })
    expect(refused.statusCode).toBe(401)
  })

  it('shows what the deployment has set of the options', async () => {
    const app = await start({
      PRECIS_OPTION_RELEVANCE_MIN_DROP_CONFIDENCE: '0.75',
      PRECIS_DECIDE_WIRE: 'none',
    })
    const settings = (await app.inject('/ui/settings.json')).json()
    expect(settings.profiles.neurolink.relevance.minDropConfidence).toBe(0.75)
    expect(settings.decide).toBeNull()
  })
})
