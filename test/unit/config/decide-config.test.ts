import { Type } from 'typebox'
import { describe, expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../../src/config.ts'
import { createEmbeddedDecider } from '../../../src/decide/embedded/embedded-decider.ts'
import { EMBEDDED_SITES, REMOTE_WIRES } from '../../../src/decide/wire-names.ts'

type Environment = Readonly<Record<string, string>>

const decideOf = (environment: Environment) =>
  loadConfig(environment, Type.Object({})).config.decide

function faultsOf(environment: Environment) {
  try {
    loadConfig(environment, Type.Object({}))
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

const variablesOf = (environment: Environment) =>
  faultsOf(environment).map(({ variable }) => variable)

const URL = 'https://decide.example/path'
const rerank = {
  PRECIS_DECIDE_WIRE: 'rerank',
  PRECIS_DECIDE_URL: URL,
  PRECIS_DECIDE_MODEL: 'rerank-v3.5',
  PRECIS_DECIDE_DIALECT: 'cohere',
}
const scoring = {
  PRECIS_DECIDE_WIRE: 'generative-scoring',
  PRECIS_DECIDE_URL: URL,
  PRECIS_DECIDE_MODEL: 'qwen',
  PRECIS_DECIDE_LABEL_TOKEN_IDS: '9454, 2753',
}

describe('the configuration of the decide model', () => {
  it('is one wire, or none, where no chain is named', () => {
    expect(decideOf({})).toEqual({ links: [{ wire: 'embedded' }], sites: undefined })
    expect(decideOf({ PRECIS_DECIDE_WIRE: 'none' }).links).toEqual([])
    expect(decideOf({ PRECIS_DECIDE_WIRE: 'systemone', PRECIS_DECIDE_URL: URL }).links).toEqual([
      {
        wire: 'systemone',
        url: URL,
        apiKey: undefined,
        model: 'jev-latest',
        timeoutMs: 5_000,
        maxConcurrency: 8,
        limits: {
          maxQuestionsPerRequest: undefined,
          maxTotalTokens: undefined,
          maxStateAndLongestQuestionTokens: undefined,
          maxPromptTokens: undefined,
        },
        settings: {},
      },
    ])
  })

  it('gives the wires of a chain their own settings, in order', () => {
    const { links } = decideOf({
      PRECIS_DECIDE_CHAIN: 'openrouter, rerank,embedded',
      PRECIS_DECIDE_URL: 'https://one.example/a',
      PRECIS_DECIDE_API_KEY: 'key-one',
      PRECIS_DECIDE_MAX_QUESTIONS: '128',
      PRECIS_DECIDE_MAX_REQUEST_TOKENS: '8192',
      PRECIS_DECIDE_FALLBACK_URL: 'http://two.example/b',
      PRECIS_DECIDE_FALLBACK_DIALECT: 'tei',
      PRECIS_DECIDE_FALLBACK_TIMEOUT_MS: '700',
      PRECIS_DECIDE_FALLBACK_CALIBRATION: '{"method":"platt","a":1.5,"b":-2}',
    })
    expect(links).toMatchObject([
      {
        wire: 'openrouter',
        url: 'https://one.example/a',
        apiKey: 'key-one',
        model: '~typesafe/jev-latest',
        timeoutMs: 5_000,
        limits: { maxQuestionsPerRequest: 128, maxTotalTokens: 8_192 },
      },
      {
        wire: 'rerank',
        url: 'http://two.example/b',
        apiKey: undefined,
        timeoutMs: 700,
        settings: { dialect: 'tei', calibration: { method: 'platt', a: 1.5, b: -2 } },
      },
      { wire: 'embedded' },
    ])
  })

  it('reads what only some wires need', () => {
    expect(
      decideOf({
        ...scoring,
        PRECIS_DECIDE_PROMPT_TEMPLATE: '<user>{prompt}</user>',
        PRECIS_DECIDE_MAX_PROMPT_TOKENS: '4096',
      }).links,
    ).toMatchObject([
      {
        limits: { maxPromptTokens: 4_096 },
        settings: {
          labelTokenIds: { yes: 9_454, no: 2_753 },
          promptTemplate: '<user>{prompt}</user>',
        },
      },
    ])
    expect(
      decideOf({
        PRECIS_DECIDE_WIRE: 'chat-logprobs',
        PRECIS_DECIDE_URL: URL,
        PRECIS_DECIDE_MODEL: 'm',
        PRECIS_DECIDE_EXTRA_BODY: '{"max_tokens":1}',
      }).links,
    ).toMatchObject([{ settings: { extraBody: { max_tokens: 1 } } }])
  })

  it.each(REMOTE_WIRES)('needs a URL for %s', (wire) => {
    expect(variablesOf({ PRECIS_DECIDE_WIRE: wire })).toContain('PRECIS_DECIDE_URL')
    expect(variablesOf({ PRECIS_DECIDE_CHAIN: `${wire},embedded` })).toContain('PRECIS_DECIDE_URL')
  })

  it.each([
    ['no URL at all', 'decide.example'],
    ['another scheme', 'ftp://decide.example/'],
    ['credentials', 'https://user:secret-word@decide.example/'],
    ['a user', 'https://secret-word@decide.example/'],
    ['a key in its query', 'https://decide.example/?api_key=secret-word'],
    ['a token in its query', 'https://decide.example/?x=1&Access-Token=secret-word'],
    ['a token of its own name', 'https://decide.example/?hf_token=secret-word'],
    ['a secret in camel case', 'https://decide.example/?clientSecret=secret-word'],
    ['a key in capitals', 'https://decide.example/?APIKEY=secret-word'],
    ['a signature', 'https://decide.example/?sv=1&sig=secret-word'],
  ])('refuses a URL with %s, without repeating it', (_, url) => {
    const environment = { PRECIS_DECIDE_WIRE: 'systemone', PRECIS_DECIDE_URL: url }
    expect(variablesOf(environment)).toEqual(['PRECIS_DECIDE_URL'])
    expect(JSON.stringify(faultsOf(environment))).not.toContain('secret-word')
  })

  it.each(['api-version=2026-10-01', 'max_tokens=5&key-format=hex', 'monkey=1', '=1'])(
    'takes the query %s, which holds no key',
    (query) => {
      const url = `https://decide.example/decide?${query}`
      expect(faultsOf({ PRECIS_DECIDE_WIRE: 'systemone', PRECIS_DECIDE_URL: url })).toEqual([])
    },
  )

  it('refuses a key that no header can carry', () => {
    expect(
      variablesOf({
        PRECIS_DECIDE_WIRE: 'vercel',
        PRECIS_DECIDE_URL: URL,
        PRECIS_DECIDE_API_KEY: 'two\nlines',
      }),
    ).toEqual(['PRECIS_DECIDE_API_KEY'])
  })

  it.each([
    ['an unknown wire', 'systemone,oracle', /list of embedded/],
    ['none', 'none,embedded', /list of embedded/],
    ['the same wire twice', 'systemone,embedded,systemone', /only once/],
    ['an empty place', 'systemone,', /list of embedded/],
    ['three wires over HTTP', 'systemone,vercel,openrouter', /at most two/],
  ])('refuses a chain with %s', (_, chain, detail) => {
    const faults = faultsOf({
      PRECIS_DECIDE_CHAIN: chain,
      PRECIS_DECIDE_URL: URL,
      PRECIS_DECIDE_FALLBACK_URL: URL,
    }).filter(({ variable }) => variable === 'PRECIS_DECIDE_CHAIN')
    expect(faults).toHaveLength(1)
    expect(faults[0]?.detail).toMatch(detail)
  })

  it('refuses a wire beside a chain that begins with another', () => {
    const chain = { PRECIS_DECIDE_CHAIN: 'systemone,embedded', PRECIS_DECIDE_URL: URL }
    expect(variablesOf({ ...chain, PRECIS_DECIDE_WIRE: 'vercel' })).toEqual(['PRECIS_DECIDE_WIRE'])
    expect(variablesOf({ ...chain, PRECIS_DECIDE_WIRE: 'systemone' })).toEqual([])
  })

  it('refuses settings of a second wire that no chain names', () => {
    expect(
      variablesOf({
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_URL: URL,
        PRECIS_DECIDE_FALLBACK_URL: URL,
        PRECIS_DECIDE_FALLBACK_API_KEY: 'key-two',
      }),
    ).toEqual(['PRECIS_DECIDE_FALLBACK_URL', 'PRECIS_DECIDE_FALLBACK_API_KEY'])
  })

  it('refuses settings of a server where the model of this process would answer instead', () => {
    const server = {
      PRECIS_DECIDE_URL: URL,
      PRECIS_DECIDE_API_KEY: 'key-one',
      PRECIS_DECIDE_MODEL: 'm',
    }
    expect(variablesOf(server)).toEqual(Object.keys(server))
    expect(variablesOf({ ...server, PRECIS_DECIDE_CHAIN: 'embedded' })).toEqual(Object.keys(server))
    expect(variablesOf({ ...server, PRECIS_DECIDE_WIRE: 'none' })).toEqual([])
    expect(variablesOf({ ...server, PRECIS_DECIDE_WIRE: 'systemone' })).toEqual([])
  })

  it.each([
    ['alone', { PRECIS_DECIDE_SITES: 'relevance,summary-gate' }],
    [
      'before the embedded model',
      { PRECIS_DECIDE_CHAIN: 'rerank,embedded', PRECIS_DECIDE_SITES: 'summary-gate' },
    ],
  ])('refuses a reranker that is asked to gate, %s', (_, extra) => {
    const faults = faultsOf({ ...rerank, ...extra })
    expect(faults).toEqual([
      {
        variable: 'PRECIS_DECIDE_SITES',
        detail: 'asks for summary-gate, which no configured wire answers',
      },
    ])
  })

  it('lets a reranker judge and another wire gate', () => {
    const { links, sites } = decideOf({
      PRECIS_DECIDE_CHAIN: 'rerank,systemone',
      PRECIS_DECIDE_SITES: 'relevance,summary-gate',
      PRECIS_DECIDE_URL: URL,
      PRECIS_DECIDE_MODEL: 'rerank-v3.5',
      PRECIS_DECIDE_DIALECT: 'cohere',
      PRECIS_DECIDE_FALLBACK_URL: URL,
    })
    expect(links).toHaveLength(2)
    expect(sites).toEqual(['relevance', 'summary-gate'])
  })

  it.each([
    ['no dialect', { PRECIS_DECIDE_DIALECT: '' }, 'PRECIS_DECIDE_DIALECT'],
    ['an unknown dialect', { PRECIS_DECIDE_DIALECT: 'esperanto' }, 'PRECIS_DECIDE_DIALECT'],
    ['no model', { PRECIS_DECIDE_MODEL: '' }, 'PRECIS_DECIDE_MODEL'],
    [
      'a calibration that falls',
      {
        PRECIS_DECIDE_CALIBRATION: '{"method":"isotonic","points":[[0.1,0.2],[0.5,0.6],[0.9,0.4]]}',
      },
      'PRECIS_DECIDE_CALIBRATION',
    ],
    [
      'a calibration that turns the ranking round',
      { PRECIS_DECIDE_CALIBRATION: '{"method":"platt","a":-1,"b":0}' },
      'PRECIS_DECIDE_CALIBRATION',
    ],
    ['label tokens', { PRECIS_DECIDE_LABEL_TOKEN_IDS: '1,2' }, 'PRECIS_DECIDE_LABEL_TOKEN_IDS'],
  ])('refuses a reranker with %s', (_, extra, variable) => {
    expect(variablesOf({ ...rerank, ...extra })).toEqual([variable])
  })

  it.each([
    ['no label tokens', { PRECIS_DECIDE_LABEL_TOKEN_IDS: '' }, 'PRECIS_DECIDE_LABEL_TOKEN_IDS'],
    [
      'one token for both',
      { PRECIS_DECIDE_LABEL_TOKEN_IDS: '7,7' },
      'PRECIS_DECIDE_LABEL_TOKEN_IDS',
    ],
    [
      'words for tokens',
      { PRECIS_DECIDE_LABEL_TOKEN_IDS: 'yes,no' },
      'PRECIS_DECIDE_LABEL_TOKEN_IDS',
    ],
    [
      'a template without a place',
      { PRECIS_DECIDE_PROMPT_TEMPLATE: 'hello' },
      'PRECIS_DECIDE_PROMPT_TEMPLATE',
    ],
  ])('refuses generative scoring with %s', (_, extra, variable) => {
    expect(variablesOf({ ...scoring, ...extra })).toEqual([variable])
  })

  const chat = {
    PRECIS_DECIDE_WIRE: 'chat-logprobs',
    PRECIS_DECIDE_URL: URL,
    PRECIS_DECIDE_MODEL: 'm',
  }
  it.each([
    ['the messages', '{"messages":[]}', /sets itself: messages/],
    ['no log probabilities', '{"logprobs":false,"model":"x"}', /sets itself: model, logprobs/],
    ['a stream', '{"stream":true}', /stream/],
    ['no alternatives', '{"top_logprobs":0}', /1 to 20/],
    ['too many alternatives', '{"top_logprobs":50}', /1 to 20/],
    ['a list', '[1]', /JSON object/],
  ])('refuses members of chat requests that ask for %s', (_, body, detail) => {
    const faults = faultsOf({ ...chat, PRECIS_DECIDE_EXTRA_BODY: body })
    expect(faults).toEqual([
      { variable: 'PRECIS_DECIDE_EXTRA_BODY', detail: expect.stringMatching(detail) },
    ])
  })

  it.each(['{"top_logprobs":5}', '{"stream":false,"max_tokens":1}'])(
    'takes %s as members of chat requests',
    (body) => {
      expect(faultsOf({ ...chat, PRECIS_DECIDE_EXTRA_BODY: body })).toEqual([])
    },
  )

  it('refuses more tokens for the state than for the whole request', () => {
    expect(
      variablesOf({
        PRECIS_DECIDE_WIRE: 'systemone',
        PRECIS_DECIDE_URL: URL,
        PRECIS_DECIDE_MAX_REQUEST_TOKENS: '4000',
        PRECIS_DECIDE_MAX_STATE_TOKENS: '5000',
      }),
    ).toEqual(['PRECIS_DECIDE_MAX_STATE_TOKENS'])
  })

  it('lists all faults of both wires at once', () => {
    expect(
      variablesOf({
        PRECIS_DECIDE_CHAIN: 'rerank,chat-logprobs',
        PRECIS_DECIDE_SITES: 'relevance,mood',
        PRECIS_DECIDE_CALIBRATION: 'steep',
        PRECIS_DECIDE_FALLBACK_URL: 'https://me:secret@decide.example/',
        PRECIS_DECIDE_FALLBACK_EXTRA_BODY: '[]',
      }),
    ).toEqual([
      'PRECIS_DECIDE_URL',
      'PRECIS_DECIDE_MODEL',
      'PRECIS_DECIDE_DIALECT',
      'PRECIS_DECIDE_CALIBRATION',
      'PRECIS_DECIDE_FALLBACK_URL',
      'PRECIS_DECIDE_FALLBACK_MODEL',
      'PRECIS_DECIDE_FALLBACK_EXTRA_BODY',
      'PRECIS_DECIDE_SITES',
    ])
  })

  it('knows what the embedded model answers', () => {
    expect(createEmbeddedDecider().traits.sites).toEqual(EMBEDDED_SITES)
  })
})
