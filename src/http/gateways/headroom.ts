import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  type HeadroomBody,
  HeadroomBodySchema,
  HeadroomErrorSchema,
  HeadroomResponseSchema,
} from '../../contract/gateways/headroom.ts'
import { type ErrorCode, PrecisError } from '../../engine/errors.ts'
import { createJsonSource } from '../../json-text/json-source.ts'
import { locateJsonError } from '../../json-text/locate-json-error.ts'
import { OPENING_BRACKET } from '../../json-text/structural-bytes.ts'
import { readAsked } from '../../proxy/asked.ts'
import { VERSION } from '../../version.ts'
import type { Worked } from '../../workers/work.ts'
import { createAnswerer } from '../answer-work.ts'
import type { Problem } from '../problem.ts'
import { timeLeft } from './asked-time.ts'
import { type ContractAnswer, contractErrors, problemText } from './contract-errors.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { skipped } from './headroom-work.ts'
import type { GatewayNote } from './note-outcome.ts'
import { sendWorked } from './send-worked.ts'

const CONTRACT = 'headroom'

/** Headroom's own header for its token, which gateways send beside or instead of `authorization`. */
const TOKEN_HEADER = 'x-headroom-proxy-token'

/** Headroom's `POST /v1/compress`, as LiteLLM, Portkey, Kong and agentgateway call it. */
export const headroomContract: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { metrics, deadlineMs, readiness } = options
  const answer = createAnswerer(options)
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  app.post<{ Body: HeadroomBody }>(
    '/v1/compress',
    {
      config: { keyHeader: TOKEN_HEADER, offloaded: true },
      schema: {
        operationId: 'headroomCompress',
        summary: "Make a conversation smaller, by Headroom's contract",
        description:
          'What guardrail `headroom` of LiteLLM, the Headroom guardrail of Portkey, provider `headroom` of Kong and context compression of agentgateway call.',
        tags: ['gateways'],
        body: HeadroomBodySchema,
        response: {
          200: { description: 'The messages to send.', ...HeadroomResponseSchema },
          '4xx': { description: 'The request is at fault.', ...HeadroomErrorSchema },
          '5xx': { description: 'Nothing was done.', ...HeadroomErrorSchema },
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const asked = { ...readAsked(request.headers), ...(isBypassed(request) && { bypass: true }) }
      const limitMs = timeLeft(request, reply, deadlineMs)
      const limits = { limitMs, keepsBody: true }
      const worked = await answer('headroom', request, { asked, limitMs }, limits).catch(
        (error: unknown) => withoutThread(error, request),
      )
      return sendWorked(reply, metrics, CONTRACT, worked)
    },
  )

  app.get(
    '/v1/retrieve/:hash',
    {
      schema: {
        operationId: 'headroomRetrieve',
        summary: "Headroom's retrieval of what it has stored: there is never anything",
        tags: ['gateways'],
        params: Type.Object({ hash: Type.String() }),
        response: {
          404: { description: 'Nothing is stored.', ...Type.Object({ detail: Type.String() }) },
        },
      },
    },
    async (_request, reply) => reply.code(404).send({ detail: 'Entry not found or expired' }),
  )

  app.get(
    '/health',
    {
      config: { open: true },
      schema: {
        operationId: 'headroomHealth',
        summary: 'Whether the service takes work, as callers of Headroom ask',
        tags: ['gateways'],
        security: [],
        response: {
          200: { description: 'It does.', ...HealthSchema },
          503: { description: 'It does not.', ...HealthSchema },
        },
      },
    },
    async (_request, reply) => {
      const { ready } = readiness()
      const status = ready ? 'healthy' : 'unhealthy'
      return reply.code(ready ? 200 : 503).send({ status, service: 'precis', version: VERSION })
    },
  )
}

const HealthSchema = Type.Object({
  status: Type.Enum(['healthy', 'unhealthy']),
  service: Type.String(),
  version: Type.String(),
})

/** For callers of Headroom's proxy, which takes it away. */
function isBypassed({ headers }: FastifyRequest): boolean {
  return String(headers['x-headroom-bypass']).toLowerCase() === 'true'
}

/**
 * The messages as they came, where a thread was to work on them and has ended, or was late: this
 * contract has to give them back. Throws what it is given where that is not so, or there are none. What
 * was too much for a thread is not parsed here, only looked through.
 */
function withoutThread(error: unknown, request: FastifyRequest): Worked<GatewayNote> {
  const { rawBody, isForWorker, log } = request
  const code = error instanceof PrecisError ? error.code : 'internal'
  if (!isForWorker || rawBody === null || !THREADS_FAULT.has(code)) throw error
  // JSON as far as its structure goes: all that is above ASCII stands in strings.
  if (locateJsonError(rawBody.toString('latin1')) !== undefined) throw error
  const range = createJsonSource(rawBody).member('messages')
  if (range === undefined || rawBody[range.start] !== OPENING_BRACKET) throw error
  if (code === 'internal') log.error({ err: error }, 'request failed')
  return skipped(rawBody, code)
}

/** Load is none: it is told by an error, as it is before a body is read. */
const THREADS_FAULT: ReadonlySet<ErrorCode> = new Set(['internal', 'deadline-exceeded'])

/** Types that Headroom's callers know, and our own in its spelling. */
function toError(problem: Problem): ContractAnswer {
  const message = problemText(problem)
  const answer = (status: number, type: string): ContractAnswer => ({
    status,
    body: { error: { type, message } },
  })
  switch (problem.code) {
    case 'deadline-exceeded':
      return answer(503, 'compression_timeout')
    case 'internal':
      return answer(503, 'compression_error')
    case 'invalid-json':
    case 'invalid-request':
      return answer(400, 'invalid_request')
    default:
      return answer(problem.status, problem.code.replaceAll('-', '_'))
  }
}
