/**
 * The least that an exact compaction does: parse the body, count every text once, keep the newest turns
 * that fit half of the tokens, serialise them. No rules, no report, no validation.
 *
 * `/plain/...` uses JSON.parse and JSON.stringify, `/bytes/...` the service's own way from bytes and to
 * bytes; `.../cold` counts every text, `.../cached` looks it up in the service's cache of counts.
 */
import type { createJsonDecoder as CreateJsonDecoder } from '../../src/http/body/decode-json.ts'
import type { encodeJson as EncodeJson } from '../../src/http/body/encode-json.ts'
import type { getEncoding as GetEncoding } from '../../src/tokens/encoding.ts'
import type { createTokenCounters as CreateTokenCounters } from '../../src/tokens/token-counter.ts'
import { builtModule } from '../lib/built-service.ts'
import type { OpenaiMessage } from '../lib/tool-conversation.ts'
import { bareFastify, listen } from './listen.ts'

const SHARE = 0.5
const CACHE_BYTES = 64 * 1024 * 1024

type CountTokens = (text: string) => number
type Body = { readonly messages: readonly OpenaiMessage[] }

const { createJsonDecoder } = (await import(builtModule('http/body/decode-json.ts'))) as {
  createJsonDecoder: typeof CreateJsonDecoder
}
const { encodeJson } = (await import(builtModule('http/body/encode-json.ts'))) as {
  encodeJson: typeof EncodeJson
}
const { getEncoding } = (await import(builtModule('tokens/encoding.ts'))) as {
  getEncoding: typeof GetEncoding
}
const { createTokenCounters } = (await import(builtModule('tokens/token-counter.ts'))) as {
  createTokenCounters: typeof CreateTokenCounters
}

const COUNTERS: Record<string, CountTokens> = {
  cold: getEncoding('o200k_base').countTokens,
  cached: createTokenCounters({ cacheBytes: CACHE_BYTES }).forModel('gpt-4o').countTokens,
}

const decode = createJsonDecoder()
const app = bareFastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => {
  done(null, body)
})
for (const [name, countTokens] of Object.entries(COUNTERS)) {
  app.post<{ Body: Buffer }>(`/plain/${name}`, async ({ body }, reply) => {
    const answer = compact(JSON.parse(body.toString()) as Body, countTokens)
    void reply.type('application/json')
    return JSON.stringify(answer)
  })
  app.post<{ Body: Buffer }>(`/bytes/${name}`, async ({ body }, reply) => {
    const answer = compact(decode(body) as Body, countTokens)
    void reply.type('application/json')
    return encodeJson(answer)
  })
}
await listen(app)

function compact({ messages }: Body, countTokens: CountTokens) {
  const tokens = messages.map((message) => countMessage(message, countTokens))
  const tokensBefore = tokens.reduce((sum, count) => sum + count, 0)
  const target = Math.floor(tokensBefore * SHARE)
  let tokensAfter = tokens[0] ?? 0
  let start = messages.length
  while (start > 1 && tokensAfter + (tokens[start - 1] ?? 0) <= target) {
    start -= 1
    tokensAfter += tokens[start] ?? 0
  }
  // A turn of the user begins what is kept, so that no result has lost its call.
  while (start < messages.length && messages[start]?.role !== 'user') {
    tokensAfter -= tokens[start] ?? 0
    start += 1
  }
  return {
    tokensBefore,
    tokensAfter,
    messages: [...messages.slice(0, 1), ...messages.slice(start)],
  }
}

function countMessage({ content, tool_calls }: OpenaiMessage, countTokens: CountTokens): number {
  let tokens = content === null ? 0 : countTokens(content)
  for (const { function: call } of tool_calls ?? []) {
    tokens += countTokens(`${call.name}(${call.arguments})`)
  }
  return tokens
}
