import type { FastifySchema } from 'fastify'
import type { UpstreamName } from '../../proxy/names.ts'
import { problemResponses } from '../schemas/problem-responses.ts'

export interface ProxiedCall {
  readonly url: string
  readonly upstream: UpstreamName
  readonly operationId: string
  readonly summary: string
}

/** Calls that the document of the API lists; the rest of each provider's API is passed on unlisted. */
export const PROXIED_CALLS: readonly ProxiedCall[] = [
  {
    url: '/v1/chat/completions',
    upstream: 'openai',
    operationId: 'proxyChatCompletions',
    summary: 'OpenAI Chat Completions, compacted on the way',
  },
  {
    url: '/v1/responses',
    upstream: 'openai',
    operationId: 'proxyResponses',
    summary: 'OpenAI Responses, compacted on the way',
  },
  {
    url: '/v1/messages',
    upstream: 'anthropic',
    operationId: 'proxyMessages',
    summary: 'Anthropic Messages, compacted on the way',
  },
  {
    url: '/v1/messages/count_tokens',
    upstream: 'anthropic',
    operationId: 'proxyCountTokens',
    summary: 'Anthropic token counting, passed on untouched',
  },
  {
    url: '/v1beta/models/:call',
    upstream: 'gemini',
    operationId: 'proxyGemini',
    summary: 'Gemini generateContent and streamGenerateContent, compacted on the way',
  },
  {
    url: '/v1/models/:call',
    upstream: 'gemini',
    operationId: 'proxyGeminiV1',
    summary: 'The same in version 1 of the Gemini API',
  },
]

const DESCRIPTION =
  'Exists where an upstream is configured. The body, the headers and the answer are those of the provider, which describes them; `x-precis-bypass`, `x-precis-target` and `x-precis-profile` are read and go no further. Headers of the answer that begin with `x-precis-` say what was done.'

export function proxySchema(call: Omit<ProxiedCall, 'url' | 'upstream'>): FastifySchema {
  return {
    ...call,
    description: DESCRIPTION,
    tags: ['proxy'],
    security: [{ proxyKey: [] }, {}],
    response: {
      default: { description: "The upstream's answer, with its status and its bytes." },
      ...problemResponses(
        'invalid-request',
        'unauthorized',
        'payload-too-large',
        'upstream-unreachable',
        'upstream-timeout',
      ),
    },
  }
}
