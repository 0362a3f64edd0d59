/** Headroom's contract member by member, over HTTP. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  anthropicConversation,
  type ChatMessage,
  GATEWAY_ENVIRONMENT,
  GATEWAY_MODEL,
  plainConversation,
  toolConversation,
} from '../helpers/gateway-conversation.ts'
import { acceptHeadroomAnswer, hasHash } from '../helpers/gateway-rules/litellm-headroom.ts'
import { type RunningService, startService } from '../helpers/start-service.ts'
import { type SummarizerServer, startSummarizerServer } from '../helpers/summarizer-server.ts'
import { GOOD_SUMMARY, summarizerVariables } from '../helpers/summarizer-variables.ts'

let service: RunningService

beforeAll(async () => {
  service = await startService(GATEWAY_ENVIRONMENT)
})
afterAll(() => service.close())

interface Compressed {
  readonly messages: readonly ChatMessage[]
  readonly tokens_before: number
  readonly tokens_after: number
  readonly transforms_applied: readonly string[]
  readonly [member: string]: unknown
}

async function compress(body: unknown, headers: Readonly<Record<string, string>> = {}) {
  const answer = await service.send('/v1/compress', { method: 'POST', headers, body })
  expect(answer.statusCode).toBe(200)
  return { ...answer, json: JSON.parse(answer.body) as Compressed }
}

const ZEROS = {
  tokens_before: 0,
  tokens_after: 0,
  tokens_saved: 0,
  compression_ratio: 1,
  transforms_applied: [],
  transforms_summary: {},
  ccr_hashes: [],
}

describe('POST /v1/compress', () => {
  it.each(['true', 'True'])(
    'leaves everything alone where x-headroom-bypass is %s',
    async (value) => {
      const messages = toolConversation()
      const { json, headers } = await compress(
        { messages, model: GATEWAY_MODEL, token_budget: 1_000 },
        { 'x-headroom-bypass': value },
      )
      expect(json).toEqual({ messages, ...ZEROS })
      expect(headers['x-precis-outcome']).toBe('bypassed')
    },
  )

  it('answers an empty list with zeros', async () => {
    expect((await compress({ messages: [], model: 'm' })).json).toEqual({ messages: [], ...ZEROS })
  })

  it('keeps within a token budget by its own count', async () => {
    const { json } = await compress({
      messages: toolConversation(),
      model: 'gpt-4o',
      token_budget: 4_000,
    })
    expect(json.tokens_after).toBeLessThanOrEqual(4_000)
    expect(json.tokens_after).toBeGreaterThan(3_000)
  })

  it('keeps the share of the tokens that target_ratio names, exact counter or estimate', async () => {
    for (const model of ['gpt-4o', 'claude-sonnet-4-5']) {
      const { json } = await compress({
        messages: plainConversation(),
        model,
        config: { target_ratio: 0.5 },
      })
      expect(json.tokens_after).toBeLessThanOrEqual(json.tokens_before * 0.5)
      expect(json.tokens_after).toBeGreaterThan(json.tokens_before * 0.485)
    }
  })

  it('prefers a token budget to a ratio, and the model’s own budget to nothing', async () => {
    const messages = plainConversation()
    const both = await compress({
      messages,
      model: GATEWAY_MODEL,
      token_budget: 6_000,
      config: { target_ratio: 0.1 },
    })
    expect(both.json.tokens_after).toBeGreaterThan(4_000)
    const neither = await compress({ messages, model: GATEWAY_MODEL })
    expect(neither.json.tokens_after).toBeLessThanOrEqual(5_000)
    expect(neither.json.tokens_before).toBeGreaterThan(5_000)
  })

  it('leaves out no word of the user where user messages are not to be compressed', async () => {
    const chat = plainConversation().map((message, index) =>
      message.role === 'user' ? { ...message, content: `question ${index}` } : message,
    )
    for (const messages of [chat, toolConversation(), anthropicConversation()]) {
      const spoken = (list: readonly ChatMessage[]) =>
        list.filter(
          ({ role, content }) =>
            role === 'user' && !/tool_result|earlier message/.test(JSON.stringify(content)),
        )
      const config = { compress_user_messages: false }
      const { json } = await compress({ messages, model: GATEWAY_MODEL, config })
      expect(json.tokens_after).toBeLessThan(json.tokens_before)
      expect(spoken(json.messages)).toEqual(spoken(messages))
    }
    const free = await compress({ messages: chat, model: GATEWAY_MODEL })
    expect(free.json.messages).not.toContainEqual(chat[3])
  })

  it('removes none of the newest messages that protect_recent names', async () => {
    const messages = plainConversation()
    const keeping = (protect_recent: number) =>
      compress({ messages, model: 'gpt-4o', token_budget: 8_000, config: { protect_recent } })
    const { json } = await keeping(20)
    expect(json.tokens_after).toBeLessThanOrEqual(8_000)
    expect(json.messages.slice(-20)).toEqual(messages.slice(-20))
    // More than the budget holds: then nothing goes for nothing.
    expect((await keeping(60)).json.messages).toEqual(messages)
  })

  it('accepts every other member of the contract', async () => {
    const { json } = await compress({
      messages: toolConversation(2, 3),
      model: GATEWAY_MODEL,
      token_budget: null,
      session_id: 'conversation-1',
      user: 'of a later version',
      config: {
        mode: 'ccr',
        protect_analysis_context: true,
        session_id: 'conversation-1',
        something_new: 1,
      },
    })
    expect(json.messages).toEqual(toolConversation(2, 3))
    expect(
      (await compress({ messages: [{ role: 'user', content: 'x' }], config: null })).json,
    ).toMatchObject({
      messages: [{ role: 'user', content: 'x' }],
    })
  })
})

describe('frozen_message_count', () => {
  it('keeps the first messages byte for byte, whatever the budget', async () => {
    const messages = toolConversation()
    for (const frozen of [1, 5, 9, 20]) {
      const { json } = await compress({
        messages,
        model: GATEWAY_MODEL,
        config: { frozen_message_count: frozen },
      })
      expect(json.messages.slice(0, frozen)).toEqual(messages.slice(0, frozen))
    }
  })

  it('keeps a marker of an earlier compaction that the caller has sent on', async () => {
    const first = await compress({ messages: toolConversation(), model: GATEWAY_MODEL })
    const marked = first.json.messages
    const place = marked.findIndex(({ content }) => /earlier messages/.test(String(content)))
    expect(place).toBeGreaterThan(-1)
    const messages = [...marked, ...toolConversation().slice(2)]
    const frozen = place + 2
    const { json, headers } = await compress({
      messages,
      model: GATEWAY_MODEL,
      config: { frozen_message_count: frozen },
    })
    expect(headers['x-precis-outcome']).toBe('compacted')
    expect(json.messages.slice(0, frozen)).toEqual(messages.slice(0, frozen))
    expect(json.messages.length).toBeLessThan(messages.length)
  })

  it('changes nothing where everything is frozen, and takes a count beyond the end for all', async () => {
    const messages = toolConversation()
    const { json } = await compress({
      messages,
      model: GATEWAY_MODEL,
      config: { frozen_message_count: 1_000_000 },
    })
    expect(json.messages).toEqual(messages)
  })
})

describe('the messages of the answer', () => {
  /** Spellings that JSON.parse and JSON.stringify do not bring back. */
  const odd = (text: string) =>
    `{ "role":"user" , "content":${JSON.stringify(text)},"n":1.0,"e":1E5,"s":"\\u00e9\\/","a":[ 1 ,\t2 ] }`
  const list = Array.from({ length: 60 }, (_, index) => odd(`${index} `.repeat(100)))
  const bodyOf = (members: string) =>
    `{"model":"${GATEWAY_MODEL}",${members}"messages":[${list.join(' ,\n')}]}`

  it('have the bytes that they came with where nothing changed', async () => {
    for (const [members, headers] of [
      ['"token_budget":1000000,', {}],
      ['', { 'x-headroom-bypass': 'true' }],
    ] as const) {
      const { body } = await compress(bodyOf(members), headers)
      expect(body).toContain(`"messages":[${list.join(' ,\n')}]`)
    }
  })

  it('have them where others around them went', async () => {
    const { body, json } = await compress(bodyOf(''))
    expect(json.messages.length).toBeLessThan(list.length)
    const kept = list.filter((message) => body.includes(message))
    expect(kept).toHaveLength(json.messages.length - 1)
  })
})

describe('retrieval markers', () => {
  const HASH = 'hash=0123456789abcdef01234567'
  const closing: (() => Promise<void>)[] = []
  afterAll(async () => {
    for (const close of closing) await close()
  })

  it('are in nothing that we put in, whatever a tool is called', async () => {
    const messages = toolConversation(30, 40).map((message) =>
      message.tool_calls === undefined
        ? message
        : {
            ...message,
            tool_calls: (message.tool_calls as { function: object }[]).map((call) => ({
              ...call,
              function: { ...call.function, name: HASH },
            })),
          },
    )
    const small = await startService({
      ...GATEWAY_ENVIRONMENT,
      PRECIS_OPTION_PRUNE_PROTECT_TOKENS: '0',
    })
    closing.push(small.close)
    const answer = await small.send('/v1/compress', {
      method: 'POST',
      body: { messages, model: 'gpt-4o', token_budget: 9_000 },
    })
    expect(answer.body).toContain('[Tool result cleared: hash: 0123456789abcdef01234567]')
    expect(hasHash(acceptHeadroomAnswer(answer))).toBe(false)
  })

  it('are in no summary, whatever the summariser quotes', async () => {
    const summarizer: SummarizerServer = await startSummarizerServer()
    closing.push(summarizer.close)
    summarizer.script({ kind: 'summary', text: `${GOOD_SUMMARY}\nThe digest was ${HASH}.` })
    const summarising = await startService({
      ...GATEWAY_ENVIRONMENT,
      ...summarizerVariables('openai', summarizer, 5_000),
    })
    closing.push(summarising.close)
    const answer = await summarising.send('/v1/compress', {
      method: 'POST',
      body: { messages: plainConversation(), model: GATEWAY_MODEL },
    })
    expect(answer.body).toContain('The digest was hash: 0123456789abcdef01234567.')
    expect(hasHash(acceptHeadroomAnswer(answer))).toBe(false)
  })
})

describe('GET /health', () => {
  it('says that the service takes work, without a key', async () => {
    const locked = await startService({ PRECIS_API_KEYS: 'the-key-of-the-test' })
    const { statusCode, body } = await locked.send('/health')
    await locked.close()
    expect(statusCode).toBe(200)
    expect(JSON.parse(body)).toEqual({
      status: 'healthy',
      service: 'precis',
      version: expect.stringMatching(/^\d+\./),
    })
  })
})
