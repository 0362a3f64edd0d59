import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import {
  type KongCompressBody,
  KongCompressBodySchema,
  KongCompressResponseSchema,
  KongErrorSchema,
} from '../../contract/gateways/kong.ts'
import { createValidatorCompiler } from '../../contract/validation/bounded-validator.ts'
import { validationFaults } from '../../contract/validation/validation-faults.ts'
import type { TokenCounters } from '../../tokens/token-counter.ts'
import type { Problem } from '../problem.ts'
import { type ContractAnswer, contractErrors, problemText } from './contract-errors.ts'
import { GATEWAY_KEY_HEADER, type GatewayOptions } from './gateway-options.ts'
import { answerJsonRpc, JSON_RPC, type MethodResult, rpcError } from './json-rpc.ts'
import { noteOutcome } from './note-outcome.ts'
import { type ShortenedText, shortenTexts } from './shorten-texts.ts'

const CONTRACT = 'kong'
const METHOD = 'llm.v1.compressPrompt'

/** The compress service of Kong's AI Prompt Compressor: texts without roles, each shortened by itself. */
export const kongContract: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { conversation, metrics } = options
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  app.post<{ Body: KongCompressBody }>(
    '/llm/v1/compressPrompt',
    {
      config: { keyHeader: GATEWAY_KEY_HEADER },
      schema: {
        operationId: 'kongCompressPrompt',
        summary: "Shorten texts, by the contract of Kong's AI Prompt Compressor",
        tags: ['gateways'],
        body: KongCompressBodySchema,
        response: {
          200: { description: 'The texts, none missing.', ...KongCompressResponseSchema },
          '4xx': { description: 'The request is at fault.', ...KongErrorSchema },
          '5xx': { description: 'Nothing was done.', ...KongErrorSchema },
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const answer = compress(request.body, conversation.counters)
      noteOutcome(reply, metrics, CONTRACT, noteOf(answer.text))
      return answer
    },
  )

  app.get(
    '/status',
    {
      config: { open: true },
      schema: {
        operationId: 'kongStatus',
        summary: 'Whether the compress service answers',
        tags: ['gateways'],
        security: [],
        response: {
          200: { description: 'It does.', ...Type.Object({ status: Type.Enum(['ok']) }) },
        },
      },
    },
    async () => ({ status: 'ok' }),
  )

  await app.register(jsonRpcRoute, options)
}

/** The same over JSON-RPC 2.0, whose errors have a shape of their own. */
const jsonRpcRoute: FastifyPluginAsync<GatewayOptions> = async (app, { conversation, metrics }) => {
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toRpcError))
  // The faults of a batch are many: each is told by its first.
  const validate = createValidatorCompiler(() => false)(KongCompressBodySchema)

  app.post(
    '/',
    {
      config: { keyHeader: GATEWAY_KEY_HEADER },
      schema: {
        operationId: 'kongJsonRpc',
        summary: `The method ${METHOD} over JSON-RPC 2.0`,
        tags: ['gateways'],
        body: Type.Unknown({ description: 'A request, or a batch of requests.' }),
        response: {
          200: { description: 'The answer, or the answers.', ...Type.Unknown() },
          204: { description: 'There were notifications only.', ...Type.Null() },
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const texts: ShortenedText[] = []
      const call = (params: unknown): MethodResult => {
        const verdict = validate(params)
        if (verdict !== true) {
          const [fault] = validationFaults(verdict.error)
          const where = fault === undefined ? '' : ` ${fault.pointer} ${fault.detail}`
          return { error: { code: JSON_RPC.invalidParams, message: `Invalid params:${where}` } }
        }
        const result = compress(params as KongCompressBody, conversation.counters)
        texts.push(...result.text)
        return { result }
      }
      const answer = answerJsonRpc(request.body, new Map([[METHOD, call]]))
      noteOutcome(reply, metrics, CONTRACT, noteOf(texts))
      return answer === undefined ? reply.code(204).send() : answer
    },
  )
}

function compress(body: KongCompressBody, counters: TokenCounters) {
  const startedAt = performance.now()
  const { countTokens } = counters.forModel(body.model_name ?? undefined)
  const text = shortenTexts(body, countTokens)
  return { text, duration: Math.round(performance.now() - startedAt) / 1_000 }
}

function noteOf(texts: readonly ShortenedText[]) {
  let tokensBefore = 0
  let tokensAfter = 0
  for (const { compressor_results: counts } of texts) {
    tokensBefore += counts.original_token_count
    tokensAfter += counts.compress_token_count
  }
  const outcome = tokensAfter < tokensBefore ? 'compacted' : 'unchanged'
  return { outcome, tokensBefore, tokensAfter } as const
}

/** Kong's plugin has `stop_on_error` for what happens then: the texts are not there to be given back. */
function toError(problem: Problem): ContractAnswer {
  return { status: problem.status, body: { error: { message: problemText(problem) } } }
}

function toRpcError(problem: Problem): ContractAnswer {
  const code =
    problem.code === 'invalid-json'
      ? JSON_RPC.parseError
      : problem.status < 500
        ? JSON_RPC.invalidRequest
        : JSON_RPC.internalError
  return { status: problem.status, body: rpcError(code, problemText(problem)) }
}
