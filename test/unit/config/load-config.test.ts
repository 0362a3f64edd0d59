import { availableParallelism } from 'node:os'
import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { redactConfig } from '../../../src/config/redact-config.ts'
import { ConfigSchema, SECRET_VARIABLES } from '../../../src/config/schema.ts'
import { ConfigError, loadConfig } from '../../../src/config.ts'

const Options = Type.Object({
  protectRecent: Type.Integer({ minimum: 0, maximum: 1_000, default: 6 }),
  relevance: Type.Object({
    enabled: Type.Boolean({ default: true }),
    maxDropRatio: Type.Number({ minimum: 0, maximum: 1 }),
    riskBudget: Type.Union([Type.Number({ minimum: 0, maximum: 10 }), Type.Null()]),
    toolExchanges: Type.Enum(['keep', 'clear', 'drop']),
  }),
  prune: Type.Object({
    protectedTools: Type.Array(Type.String({ minLength: 1, maxLength: 10 }), { maxItems: 3 }),
  }),
})

function faultsOf(environment: Record<string, string>) {
  try {
    loadConfig(environment, Options)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  throw new Error('the environment was accepted')
}

describe('loadConfig', () => {
  it('works without a single variable set', () => {
    const { config, warnings } = loadConfig({}, Options)
    const usualWorkers = Math.min(4, Math.max(1, availableParallelism() - 1))
    expect(warnings).toEqual([])
    expect(config).toEqual({
      server: {
        host: '127.0.0.1',
        port: 8080,
        logLevel: 'info',
        apiKeys: [],
        apiKeysFile: undefined,
        admin: undefined,
        trustProxy: false,
        gatewayContracts: ['headroom', 'portkey', 'litellm', 'kong', 'agentgateway'],
        shutdownDelayMs: 0,
        shutdownGraceMs: 25_000,
        ui: true,
      },
      limits: {
        bodyLimitBytes: 33_554_432,
        maxMessages: 200_000,
        requestDeadlineMs: 30_000,
        maxConcurrentRequests: 128,
        maxConcurrentBytes: 268_435_456,
        maxEventLoopDelayMs: 5_000,
      },
      rateLimits: { requestsPerMinute: 0, bytesPerMinute: 0 },
      workers: { count: usualWorkers, minBytes: 262_144 },
      redact: true,
      tracing: undefined,
      compaction: {
        defaultProfile: 'neurolink',
        options: {},
        lowWater: 0.5,
        stepMemoBytes: 64 * 1024 * 1024,
      },
      tokens: { cacheBytes: 67_108_864, modelWindows: {} },
      decide: { links: [{ wire: 'embedded' }], sites: undefined },
      proxy: {
        upstreams: {},
        headersTimeoutMs: 600_000,
        idleTimeoutMs: 300_000,
        compactionDeadlineMs: 5_000,
      },
      summarizer: {
        dialect: 'none',
        url: undefined,
        apiKey: undefined,
        model: undefined,
        timeoutMs: 25_000,
        maxInputTokens: 100_000,
      },
    })
  })

  it('coerces the strings of the environment to what the schema names', () => {
    const { config } = loadConfig(
      {
        PRECIS_PORT: '0',
        PRECIS_API_KEYS: 'first-key-1, second-key-2',
        PRECIS_TRUST_PROXY: '10.0.0.0/8, loopback',
        PRECIS_MODEL_WINDOWS:
          '{"house-model":{"contextWindow":32000},"__proto__":{"contextWindow":1}}',
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_URL: 'https://decide.example/v1/systemone',
        PRECIS_SUMMARIZER_DIALECT: 'anthropic',
        PRECIS_SUMMARIZER_URL: 'https://models.example',
        PRECIS_SUMMARIZER_MODEL: 'writer',
      },
      Options,
    )
    expect(config.server).toMatchObject({
      port: 0,
      apiKeys: ['first-key-1', 'second-key-2'],
      trustProxy: ['10.0.0.0/8', 'loopback'],
    })
    expect(config.tokens.modelWindows['house-model']).toEqual({ contextWindow: 32_000 })
    expect(config.decide.links).toMatchObject([
      { wire: 'systemone', url: 'https://decide.example/v1/systemone', model: 'jev-latest' },
    ])
    expect(config.summarizer.dialect).toBe('anthropic')
  })

  it('gives every option of the engine a variable of its own, and sets only what is set', () => {
    const { config, warnings } = loadConfig(
      {
        PRECIS_OPTION_PROTECT_RECENT: '12',
        PRECIS_OPTION_RELEVANCE_ENABLED: 'false',
        PRECIS_OPTION_RELEVANCE_MAX_DROP_RATIO: '0.25',
        PRECIS_OPTION_RELEVANCE_TOOL_EXCHANGES: 'clear',
        PRECIS_OPTION_PRUNE_PROTECTED_TOOLS: 'skill, read',
      },
      Options,
    )
    expect(warnings).toEqual([])
    expect(config.compaction.options).toEqual({
      protectRecent: 12,
      relevance: { enabled: false, maxDropRatio: 0.25, toolExchanges: 'clear' },
      prune: { protectedTools: ['skill', 'read'] },
    })
  })

  it.each([
    ['null', null],
    ['0.5', 0.5],
  ])('reads the nullable option %s as %s', (text, value) => {
    const { config } = loadConfig({ PRECIS_OPTION_RELEVANCE_RISK_BUDGET: text }, Options)
    expect(config.compaction.options).toEqual({ relevance: { riskBudget: value } })
  })

  it('reads a lone comma as the empty list, since an empty string is unset', () => {
    const { config } = loadConfig({ PRECIS_OPTION_PRUNE_PROTECTED_TOOLS: ',' }, Options)
    expect(config.compaction.options).toEqual({ prune: { protectedTools: [] } })
    expect(
      loadConfig({ PRECIS_OPTION_PRUNE_PROTECTED_TOOLS: '' }, Options).config.compaction.options,
    ).toEqual({})
  })

  it('treats an empty string as unset', () => {
    const { config } = loadConfig({ PRECIS_PORT: '', PRECIS_API_KEYS: '' }, Options)
    expect(config.server).toMatchObject({ port: 8080, apiKeys: [] })
  })

  it('reports every fault of every kind at once', () => {
    const faults = faultsOf({
      PRECIS_PORT: 'eighty',
      PRECIS_LOG_LEVEL: 'loud',
      PRECIS_BODY_LIMIT_BYTES: '1',
      PRECIS_OPTION_PROTECT_RECENT: '-1',
      PRECIS_OPTION_RELEVANCE_RISK_BUDGET: 'much',
    })
    expect(faults).toEqual([
      { variable: 'PRECIS_PORT', detail: 'must be integer' },
      {
        variable: 'PRECIS_LOG_LEVEL',
        detail: 'must be one of trace, debug, info, warn, error, fatal, silent',
      },
      { variable: 'PRECIS_BODY_LIMIT_BYTES', detail: 'must be >= 1024' },
      { variable: 'PRECIS_OPTION_PROTECT_RECENT', detail: 'must be >= 0' },
      {
        variable: 'PRECIS_OPTION_RELEVANCE_RISK_BUDGET',
        detail: 'must be number or the word null',
      },
    ])
  })

  it('reports rules between variables, and text with an inner form, at once', () => {
    const faults = faultsOf({
      PRECIS_DECIDE_WIRE: 'openai-decisions',
      PRECIS_SUMMARIZER_DIALECT: 'openai',
      PRECIS_SUMMARIZER_URL: 'ftp://models.example',
      PRECIS_API_KEYS: 'long-enough-key,short',
      PRECIS_MODEL_WINDOWS: '{"house-model":{"contextWindow":"big"}}',
      PRECIS_TRUST_PROXY: '10.0.0.0/40',
      PRECIS_OPTION_PRUNE_PROTECTED_TOOLS: 'a,b,c,d',
    })
    expect(faults.map(({ variable }) => variable)).toEqual([
      'PRECIS_SUMMARIZER_URL',
      'PRECIS_SUMMARIZER_MODEL',
      'PRECIS_API_KEYS',
      'PRECIS_MODEL_WINDOWS',
      'PRECIS_TRUST_PROXY',
      'PRECIS_DECIDE_URL',
      'PRECIS_OPTION_PRUNE_PROTECTED_TOOLS',
    ])
  })

  it.each([',', 'long-enough-key,', 'has a space in it', 'clé-clé-clé'])(
    'refuses the key list %j, of which one key could not be presented or would be guessed',
    (keys) => {
      expect(faultsOf({ PRECIS_API_KEYS: keys })).toMatchObject([{ variable: 'PRECIS_API_KEYS' }])
    },
  )

  it('never repeats a value in a fault', () => {
    const canary = 'canary-4711'
    const names = [
      ...Object.keys(ConfigSchema.properties),
      'PRECIS_OPTION_PROTECT_RECENT',
      'PRECIS_OPTION_RELEVANCE_TOOL_EXCHANGES',
    ].filter((name) => !['PRECIS_HOST', 'PRECIS_DECIDE_MODEL'].includes(name))
    const faults = faultsOf(Object.fromEntries(names.map((name) => [name, canary])))
    expect(faults.length).toBeGreaterThan(10)
    expect(JSON.stringify(faults)).not.toContain(canary)
  })

  it('warns of names that look like ours and are not', () => {
    const { warnings } = loadConfig(
      { PRECIS_BODY_LIMT_BYTES: '5', PRECIS_OPTION_PRUNE_ENABELD: 'true', PATH: '/bin' },
      Options,
    )
    expect(warnings).toEqual([
      'PRECIS_BODY_LIMT_BYTES is not a variable of this service and was ignored',
      'PRECIS_OPTION_PRUNE_ENABELD is not a variable of this service and was ignored',
    ])
  })

  it('freezes the configuration, however deep', () => {
    const { config } = loadConfig({ PRECIS_OPTION_PRUNE_PROTECTED_TOOLS: 'skill' }, Options)
    expect(() => Object.assign(config.compaction.options.prune ?? {}, { enabled: true })).toThrow(
      TypeError,
    )
    expect(Object.isFrozen(config.server.apiKeys)).toBe(true)
  })

  it('refuses an options schema with an option that no variable can hold', () => {
    const nested = Type.Object({ stage: Type.Object({ table: Type.Object({}) }) })
    expect(() => loadConfig({}, nested)).toThrow('stage.table')
  })
})

describe('redactConfig', () => {
  it('shows no secret, and no credentials that stand in a URL', () => {
    const secret = 'hidden-secret-1'
    const { config } = loadConfig(
      {
        PRECIS_API_KEYS: `${secret},${secret}2`,
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_CHAIN: 'systemone,vercel,embedded',
        PRECIS_DECIDE_URL: `https://decide.example/v1/systemone?signed=${secret}`,
        PRECIS_DECIDE_FALLBACK_URL: `https://gateway.example/v4?signed=${secret}`,
        PRECIS_DECIDE_FALLBACK_API_KEY: secret,
        PRECIS_DECIDE_API_KEY: secret,
        PRECIS_SUMMARIZER_DIALECT: 'openai',
        PRECIS_SUMMARIZER_URL: `https://models.example/v1?signed=${secret}`,
        PRECIS_SUMMARIZER_MODEL: 'writer',
        PRECIS_SUMMARIZER_API_KEY: secret,
        PRECIS_TRACING_URL: `https://collector.example/v1/traces?signed=${secret}`,
        OTEL_EXPORTER_OTLP_HEADERS: `x-key=${secret}`,
      },
      Options,
    )
    expect(config.tracing?.headers).toBe(`x-key=${secret}`)
    const line = JSON.stringify(redactConfig(config))
    expect(line).not.toContain(secret)
    expect(redactConfig(config)).toMatchObject({
      server: { apiKeys: ['[redacted]', '[redacted]'] },
      decide: {
        links: [
          { url: 'https://decide.example/v1/systemone', apiKey: '[redacted]' },
          { url: 'https://gateway.example/v4', apiKey: '[redacted]' },
          { wire: 'embedded' },
        ],
      },
      summarizer: { url: 'https://models.example/v1', apiKey: '[redacted]' },
      tracing: { url: 'https://collector.example/v1/traces', headers: '[redacted]' },
    })
  })

  it('knows every variable whose name says that it holds a key', () => {
    const named = Object.keys(ConfigSchema.properties).filter((name) => /_KEYS?$/.test(name))
    expect([...SECRET_VARIABLES].sort()).toEqual(named.sort())
  })
})
