import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import {
  type PortkeyBody,
  PortkeyBodySchema,
  PortkeyResponseSchema,
} from '../../contract/gateways/portkey.ts'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import { compactInSteps } from '../../conversation/compact-in-steps.ts'
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { FormatId } from '../../formats/adapter.ts'
import { writeText } from '../../json-text/byte-sink.ts'
import { writeLike } from '../../json-text/encode-like.ts'
import { readAsked } from '../../proxy/asked.ts'
import { compactRequestOf } from '../../proxy/proxied-request.ts'
import { encodeJsonWith } from '../body/encode-json.ts'
import type { Problem } from '../problem.ts'
import { askedTime } from './asked-time.ts'
import { attempt } from './attempt.ts'
import {
  type ContractAnswer,
  contractErrors,
  isCallersFault,
  JSON_MEDIA_TYPE,
} from './contract-errors.ts'
import { GATEWAY_KEY_HEADER, type GatewayOptions } from './gateway-options.ts'
import { type GatewayNote, noteOf, noteOutcome } from './note-outcome.ts'
import { valueAt } from './value-at.ts'

const CONTRACT = 'portkey'

/** Portkey gives a webhook 3,000 ms, unless the guardrail sets another `timeout`. */
const LIMIT_MS = 2_500

/** Portkey's webhook guardrail before a request: the whole body in, the body to send out. */
export const portkeyContract: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { conversation, metrics, deadlineMs } = options
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  app.post<{ Body: PortkeyBody }>(
    '/webhooks/portkey',
    {
      config: { keyHeader: GATEWAY_KEY_HEADER },
      schema: {
        operationId: 'portkeyWebhook',
        summary: "Make the conversation of a request smaller, by Portkey's webhook contract",
        description:
          'Answers within 2,500 ms, or what `timeout_ms` in the query or `x-precis-timeout-ms` says, with the verdict true, also where nothing could be done.',
        tags: ['gateways'],
        body: PortkeyBodySchema,
        response: {
          200: {
            description: 'The verdict, and the body to send if it changed.',
            ...PortkeyResponseSchema,
          },
          '4xx': { description: 'The request is at fault.', ...PortkeyResponseSchema },
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const asked = readAsked(request.headers)
      const limitMs = askedTime(request, deadlineMs, LIMIT_MS)
      const pass = (note: GatewayNote) => send(reply, note, options)
      if (asked.bypass) return pass({ outcome: 'bypassed' })
      const format = formatOf(request.body)
      const json = request.body.request.json as JsonObject | null
      if (json === null || format === undefined) {
        return pass({ outcome: 'passed', reason: 'no-conversation' })
      }
      const read = { text: request.rawBody ?? Buffer.alloc(0), json }
      const work = compactRequestOf(read, { format, model: undefined }, asked)
      const tried = await attempt(request, reply, { metrics, limitMs }, (ports) =>
        compactInSteps(work, conversation, ports),
      )
      if ('passed' in tried) return pass({ outcome: 'passed', reason: tried.passed })
      const { result } = tried
      if (result.report.outcome === 'unchanged') return pass(noteOf(result))
      const edited = { ...json, [result.list]: result.conversation } as JsonObject
      return sendChanged(request, reply, edited, result, options)
    },
  )
}

/** Of Portkey's request types those that have a conversation, and the format that it has in them. */
const FORMATS: Readonly<Record<string, FormatId>> = {
  chatComplete: 'openai-chat',
  messages: 'anthropic-messages',
  createModelResponse: 'openai-responses',
}

function formatOf({ requestType, eventType }: PortkeyBody): FormatId | undefined {
  if (typeof eventType === 'string' && eventType !== 'beforeRequestHook') return undefined
  const known = typeof requestType === 'string' && Object.hasOwn(FORMATS, requestType)
  return known ? FORMATS[requestType] : undefined
}

function send(reply: FastifyReply, note: GatewayNote, { metrics }: GatewayOptions): FastifyReply {
  noteOutcome(reply, metrics, CONTRACT, note)
  return reply.type(JSON_MEDIA_TYPE).send(JSON.stringify({ verdict: true, data: note }))
}

function sendChanged(
  request: FastifyRequest,
  reply: FastifyReply,
  edited: JsonObject,
  result: CompactResult,
  { metrics }: GatewayOptions,
): FastifyReply {
  const text = request.rawBody ?? Buffer.alloc(0)
  const range = valueAt(text, ['request', 'json'])
  if (range === undefined) throw new TypeError('The body has no request')
  const before = (request.body as PortkeyBody).request.json
  const note = noteOf(result)
  noteOutcome(reply, metrics, CONTRACT, note)
  const bytes = encodeJsonWith(
    {
      verdict: true,
      data: { ...note, stages: result.report.stagesUsed, fits: result.report.fits },
    },
    new Map([
      [
        'transformedData',
        (sink) => {
          writeText(sink, '{"request":{"json":')
          writeLike(sink, edited, before as JsonValue, text, range)
          writeText(sink, '}}')
        },
      ],
    ]),
  )
  return reply.type(JSON_MEDIA_TYPE).send(bytes)
}

/** A verdict of false could block a request for a fault of ours; so may a status that is no 200. */
function toError(problem: Problem): ContractAnswer {
  return {
    status: isCallersFault(problem) ? problem.status : 200,
    body: { verdict: true, data: { outcome: 'passed', reason: problem.code } },
  }
}
