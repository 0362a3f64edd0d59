import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  type HeadroomBody,
  HeadroomBodySchema,
  HeadroomErrorSchema,
  HeadroomResponseSchema,
} from '../../contract/gateways/headroom.ts'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import type { JsonValue } from '../../engine/transcript.ts'
import { readAsked } from '../../proxy/asked.ts'
import { VERSION } from '../../version.ts'
import { encodeJsonWith } from '../body/encode-json.ts'
import { postedConversation } from '../body/posted-conversation.ts'
import type { Problem } from '../problem.ts'
import { askedTime } from './asked-time.ts'
import { type Attempt, attempt } from './attempt.ts'
import {
  type ContractAnswer,
  contractErrors,
  JSON_MEDIA_TYPE,
  problemText,
} from './contract-errors.ts'
import type { GatewayOptions } from './gateway-options.ts'
import { compactAsHeadroom } from './headroom-request.ts'
import { type GatewayNote, noteOf, noteOutcome } from './note-outcome.ts'

const CONTRACT = 'headroom'

/** Headroom's own header for its token, which gateways send beside or instead of `authorization`. */
const TOKEN_HEADER = 'x-headroom-proxy-token'

/** Headroom's `POST /v1/compress`, as LiteLLM, Portkey, Kong and agentgateway call it. */
export const headroomContract: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { metrics, deadlineMs, readiness } = options
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  app.post<{ Body: HeadroomBody }>(
    '/v1/compress',
    {
      config: { keyHeader: TOKEN_HEADER },
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
      const { body } = request
      const asked = readAsked(request.headers)
      if (asked.bypass || String(request.headers['x-headroom-bypass']).toLowerCase() === 'true') {
        return send(request, reply, untouched(body), { outcome: 'bypassed' }, options)
      }
      if (body.messages.length === 0) {
        return send(request, reply, untouched(body), { outcome: 'unchanged' }, options)
      }
      const limitMs = askedTime(request, deadlineMs)
      const tried = await attempt(request, reply, { metrics, limitMs }, (ports) =>
        compactAsHeadroom(body, asked, options.conversation, {
          ...ports,
          itemBytes: postedConversation(request).itemBytes,
        }),
      )
      const { answer, note } = answerTo(tried, body)
      return send(request, reply, answer, note, options)
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

interface Answer {
  readonly messages: JsonValue
  readonly [member: string]: unknown
}

/** Headroom tells no counts of what it has not looked at. */
function untouched({ messages }: HeadroomBody): Answer {
  return {
    messages: messages as JsonValue,
    tokens_before: 0,
    tokens_after: 0,
    tokens_saved: 0,
    compression_ratio: 1,
    transforms_applied: [],
    transforms_summary: {},
    ccr_hashes: [],
  }
}

function answerTo(tried: Attempt, body: HeadroomBody): { answer: Answer; note: GatewayNote } {
  if ('passed' in tried) {
    const reason = tried.passed
    return {
      answer: { ...untouched(body), compression_skipped: true, skip_reason: reason },
      note: { outcome: 'passed', reason },
    }
  }
  const { result } = tried
  if (!keepsFrozen(result, body)) {
    const reason = 'frozen-prefix'
    return {
      answer: { ...untouched(body), compression_skipped: true, skip_reason: reason },
      note: { outcome: 'passed', reason },
    }
  }
  const { report } = result
  const { tokensBefore, tokensAfter } = report
  const summary: Record<string, number> = {}
  for (const { stage, status, dropped, rewritten } of report.stages) {
    if (status !== 'applied') continue
    if (dropped > 0) summary[`${stage}:dropped`] = dropped
    if (rewritten > 0) summary[`${stage}:rewritten`] = rewritten
  }
  return {
    answer: {
      messages: result.conversation,
      tokens_before: tokensBefore,
      tokens_after: tokensAfter,
      tokens_saved: tokensBefore - tokensAfter,
      compression_ratio: tokensBefore === 0 ? 1 : tokensAfter / tokensBefore,
      transforms_applied: Object.entries(summary).map(([what, count]) => `${what}:${count}`),
      transforms_summary: summary,
      ccr_hashes: [],
    },
    note: noteOf(result),
  }
}

/** The promise of `frozen_message_count` is hard, so that what was done is looked at once more. */
function keepsFrozen({ messages }: CompactResult, body: HeadroomBody): boolean {
  const frozen = Math.min(body.config?.frozen_message_count ?? 0, body.messages.length)
  for (let index = 0; index < frozen; index += 1) {
    if (!Object.is(messages[index], body.messages[index])) return false
  }
  return true
}

function send(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: Answer,
  note: GatewayNote,
  { metrics }: GatewayOptions,
): FastifyReply {
  noteOutcome(reply, metrics, CONTRACT, note)
  const posted = postedConversation(request)
  const bytes = encodeJsonWith(
    answer,
    new Map([['messages', (sink) => posted.write(sink, answer.messages)]]),
  )
  return reply.type(JSON_MEDIA_TYPE).send(bytes)
}

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
