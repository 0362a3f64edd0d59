import type { FastifyPluginAsync } from 'fastify'
import { Type } from 'typebox'
import {
  JsonRpcBodySchema,
  JsonRpcErrorSchema,
  type KongCompressBody,
  KongCompressBodySchema,
  KongCompressResponseSchema,
  KongErrorSchema,
} from '../../contract/gateways/kong.ts'
import { createAnswerer } from '../answer-work.ts'
import type { Problem } from '../problem.ts'
import { type ContractAnswer, contractErrors, problemText } from './contract-errors.ts'
import { GATEWAY_KEY_HEADER, type GatewayOptions } from './gateway-options.ts'
import { JSON_RPC, rpcError } from './json-rpc.ts'
import { KONG_METHOD } from './kong-work.ts'
import { sendWorked } from './send-worked.ts'

const CONTRACT = 'kong'

/** The compress service of Kong's AI Prompt Compressor: texts without roles, each shortened by itself. */
export const kongContract: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { metrics } = options
  const answer = createAnswerer(options)
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  app.post<{ Body: KongCompressBody }>(
    '/llm/v1/compressPrompt',
    {
      config: { keyHeader: GATEWAY_KEY_HEADER, offloaded: true },
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
      return sendWorked(reply, metrics, CONTRACT, await answer('kong', request, undefined))
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
const jsonRpcRoute: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { metrics } = options
  const answer = createAnswerer(options)
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toRpcError))

  app.post(
    '/',
    {
      config: { keyHeader: GATEWAY_KEY_HEADER, offloaded: true },
      schema: {
        operationId: 'kongJsonRpc',
        summary: `The method ${KONG_METHOD} over JSON-RPC 2.0`,
        tags: ['gateways'],
        body: JsonRpcBodySchema,
        response: {
          200: { description: 'The answer, or the answers.', ...Type.Unknown() },
          204: { description: 'There were notifications only.', ...Type.Null() },
          '4xx': { description: 'The body is no JSON, or not to be read.', ...JsonRpcErrorSchema },
          '5xx': { description: 'Nothing was done.', ...JsonRpcErrorSchema },
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const worked = await answer('kong-json-rpc', request, undefined)
      return sendWorked(
        worked.answer.length === 0 ? reply.code(204) : reply,
        metrics,
        CONTRACT,
        worked,
      )
    },
  )
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
