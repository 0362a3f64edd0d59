import type { SeededRandom } from '../../test/helpers/seeded-random.ts'
import { membersOf } from '../../test/property/support/run-case.ts'
import { drawCase } from './draw-conversation.ts'
import { MODELS } from './own-routes.ts'
import type { Draft, JsonRecord } from './types.ts'

/** As each provider's clients authorise themselves; nobody checks more of it than that it is there. */
const CREDENTIALS = {
  'openai-chat': { authorization: 'Bearer a-key' },
  'openai-responses': { authorization: 'Bearer a-key' },
  'anthropic-messages': { 'x-api-key': 'a-key', 'anthropic-version': '2023-06-01' },
  gemini: { 'x-goog-api-key': 'a-key' },
} as const

type ProxiedFormat = keyof typeof CREDENTIALS

const FORMATS = Object.keys(CREDENTIALS) as ProxiedFormat[]

export function proxiedDraft(random: SeededRandom): Draft {
  const format = random.pick(FORMATS)
  const { payload } = drawCase(random, [format])
  const isStream = random.chance(0.3)
  // Members that nobody knows are refused by the provider, and passed on to it all the same.
  const posted = random.chance(0.8) ? (membersOf(payload) as JsonRecord) : payload
  const { path, body } = writeCall(random, format, posted, isStream)
  return {
    surface: 'proxied',
    method: 'POST',
    path,
    headers: {
      'content-type': 'application/json',
      ...CREDENTIALS[format],
      ...(random.chance(0.2) && { 'x-precis-target': String(1 + random.below(3_000)) }),
      ...(random.chance(0.1) && { 'x-precis-bypass': 'true' }),
      ...(random.chance(0.1) && { 'x-precis-profile': 'agent' }),
    },
    body,
    format,
  }
}

function writeCall(
  random: SeededRandom,
  format: ProxiedFormat,
  payload: JsonRecord,
  isStream: boolean,
): { path: string; body: JsonRecord } {
  const model = random.pick([...Object.values(MODELS), 'an unknown model'])
  const stream = isStream && { stream: true }
  switch (format) {
    case 'openai-chat':
      return { path: '/v1/chat/completions', body: { ...payload, model, ...stream } }
    case 'openai-responses':
      return { path: '/v1/responses', body: { ...payload, model, ...stream } }
    case 'anthropic-messages': {
      const isCount = random.chance(0.1)
      const path = isCount ? '/v1/messages/count_tokens' : '/v1/messages'
      return {
        path,
        body: { ...payload, model, ...(!isCount && { max_tokens: 100, ...stream }) },
      }
    }
    case 'gemini': {
      const call = isStream ? 'streamGenerateContent' : 'generateContent'
      const query = isStream && random.chance(0.5) ? '?alt=sse' : ''
      const { model: _model, ...rest } = payload
      return { path: `/v1beta/models/${MODELS.small}:${call}${query}`, body: rest }
    }
  }
}

/** Calls of the same APIs that have no conversation. */
export function passedDraft(random: SeededRandom): Draft {
  const path = random.pick([
    '/v1/models',
    '/v1/files?limit=2',
    '/v1/embeddings',
    '/v1beta/models',
    `/v1beta/models/${MODELS.small}:countTokens`,
    '/v1/retrieve/0123456789abcdef01234567/more',
  ])
  const method = random.pick(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
  const hasBody = method !== 'GET'
  return {
    surface: 'proxied',
    method,
    path,
    headers: {
      ...random.pick(Object.values(CREDENTIALS)),
      ...(hasBody && { 'content-type': random.pick(['application/json', 'text/plain', 'x']) }),
    },
    body: hasBody ? { input: 'a text', purpose: 'none' } : undefined,
  }
}
