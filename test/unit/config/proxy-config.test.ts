import { describe, expect, it } from 'vitest'
import { redactConfig } from '../../../src/config/redact-config.ts'
import { ConfigError, loadConfig } from '../../../src/config.ts'
import { OptionsSchema } from '../../../src/contract/options.ts'

const load = (environment: Record<string, string>) => loadConfig(environment, OptionsSchema).config

describe('upstreams of the proxy', () => {
  it('are those whose URLs are set, and none by default', () => {
    expect(load({}).proxy.upstreams).toEqual({})
    const config = load({
      PRECIS_UPSTREAM_OPENAI_URL: 'https://api.openai.com/v1',
      PRECIS_UPSTREAM_GEMINI_URL: 'http://localhost:9000',
      PRECIS_UPSTREAM_ANTHROPIC_URL: '',
    })
    expect(config.proxy.upstreams).toEqual({
      openai: 'https://api.openai.com/v1',
      gemini: 'http://localhost:9000',
    })
    expect(redactConfig(config).proxy).toEqual(config.proxy)
  })

  it.each([
    ['PRECIS_UPSTREAM_OPENAI_URL', 'api.openai.com'],
    ['PRECIS_UPSTREAM_OPENAI_URL', 'ftp://api.openai.com'],
    ['PRECIS_UPSTREAM_ANTHROPIC_URL', 'https://user:secret@host'],
    ['PRECIS_UPSTREAM_ANTHROPIC_URL', 'https://host/v1?api-version=1'],
    ['PRECIS_UPSTREAM_GEMINI_URL', 'https://host/#secret'],
    ['PRECIS_UPSTREAM_HEADERS_TIMEOUT_MS', '1'],
    ['PRECIS_UPSTREAM_IDLE_TIMEOUT_MS', 'soon'],
    ['PRECIS_PROXY_COMPACTION_DEADLINE_MS', '0'],
  ])('refuses %s=%s at the start, without repeating it', (variable, value) => {
    let fault: unknown
    try {
      load({ [variable]: value })
    } catch (error) {
      fault = error
    }
    expect(fault).toBeInstanceOf(ConfigError)
    expect((fault as ConfigError).faults).toEqual([{ variable, detail: expect.any(String) }])
    expect(String(fault)).not.toContain('secret')
  })
})
