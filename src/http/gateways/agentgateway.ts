import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import {
  type AgentgatewayBody,
  AgentgatewayBodySchema,
  AgentgatewayErrorSchema,
  AgentgatewayResponseSchema,
} from '../../contract/gateways/agentgateway.ts'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import { compactInSteps } from '../../conversation/compact-in-steps.ts'
import type { CompactRequest } from '../../conversation/request.ts'
import { PrecisError } from '../../engine/errors.ts'
import type { JsonValue } from '../../engine/transcript.ts'
import { isRecord } from '../../formats/json.ts'
import { type ByteSink, writeText } from '../../json-text/byte-sink.ts'
import { writeLike } from '../../json-text/encode-like.ts'
import { type Asked, readAsked } from '../../proxy/asked.ts'
import { encodeJsonWith } from '../body/encode-json.ts'
import type { Problem } from '../problem.ts'
import { askedSettings } from './asked-settings.ts'
import { askedTime } from './asked-time.ts'
import { attempt } from './attempt.ts'
import {
  type ContractAnswer,
  contractErrors,
  isCallersFault,
  JSON_MEDIA_TYPE,
  problemText,
} from './contract-errors.ts'
import { GATEWAY_KEY_HEADER, type GatewayOptions } from './gateway-options.ts'
import { type GatewayNote, noteOf, noteOutcome } from './note-outcome.ts'
import { valueAt } from './value-at.ts'

const CONTRACT = 'agentgateway'

/** agentgateway waits 10 s for a webhook. */
const LIMIT_MS = 8_000

/** The path that agentgateway posts to, and the same below a name, for services that share a host. */
const PATHS = ['/request', '/agentgateway/request']

/**
 * agentgateway's prompt guard webhook. In its guardrail form messages come flattened to a role and a
 * text, and a mask rebuilds the whole list from those: whatever has tools or more than text in it would
 * be broken by one, so that it passes. Raw messages are whole, and so is what replaces them.
 */
export const agentgatewayContract: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { conversation, metrics, deadlineMs } = options
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  for (const path of PATHS) {
    app.post<{ Body: AgentgatewayBody }>(
      path,
      {
        config: { keyHeader: GATEWAY_KEY_HEADER },
        schema: {
          operationId: path === '/request' ? 'agentgatewayRequest' : 'agentgatewayRequestBelow',
          summary: "Make a conversation smaller, by agentgateway's webhook contract",
          description:
            'Passes whatever has tool fields or more than text, unless the messages come raw.',
          tags: ['gateways'],
          body: AgentgatewayBodySchema,
          response: {
            200: { description: 'Pass, or the messages to send.', ...AgentgatewayResponseSchema },
            '4xx': { description: 'The request is at fault.', ...AgentgatewayErrorSchema },
          },
        },
        serializerCompiler: () => JSON.stringify,
      },
      async (request, reply) => {
        const { body } = request
        const asked = readAsked(request.headers)
        const limitMs = askedTime(request, deadlineMs, LIMIT_MS)
        const isRaw = body.body === undefined
        const messages = messagesOf(body)
        const pass = (note: GatewayNote): FastifyReply => {
          noteOutcome(reply, metrics, CONTRACT, note)
          const answer = isRaw ? {} : passAction(note)
          return reply.type(JSON_MEDIA_TYPE).send(JSON.stringify(answer))
        }
        if (asked.bypass) return pass({ outcome: 'bypassed' })
        if (!isRaw && !messages.every(isPlain)) {
          return pass({ outcome: 'passed', reason: 'not-plain-text' })
        }
        const tried = await attempt(request, reply, { metrics, limitMs }, (ports) =>
          compactInSteps(requestOf(body, messages, isRaw, asked), conversation, ports),
        )
        if ('passed' in tried) return pass({ outcome: 'passed', reason: tried.passed })
        const { result } = tried
        if (result.report.outcome === 'unchanged') return pass(noteOf(result))
        noteOutcome(reply, metrics, CONTRACT, noteOf(result))
        return reply.type(JSON_MEDIA_TYPE).send(changed(request, messages, result, isRaw))
      },
    )
  }
}

/** Throws PrecisError('invalid-request') where there are none in either place. */
function messagesOf({ body, messages }: AgentgatewayBody): JsonValue[] {
  const found = body?.messages ?? messages
  if (found !== undefined) return found as JsonValue[]
  throw new PrecisError('invalid-request', 'The messages are missing.', {
    faults: [
      { pointer: '/body', rule: 'required', detail: 'is required, or messages in its place' },
    ],
  })
}

const SPEAKERS: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant'])

/** A message that a mask would leave as it is: a known speaker and a text, and nothing else. */
function isPlain(message: JsonValue): boolean {
  if (!isRecord(message)) return false
  const { role, content, ...others } = message
  return (
    SPEAKERS.has(role) &&
    typeof content === 'string' &&
    // An answer that only calls tools is flattened to nothing.
    content.trim() !== '' &&
    Object.keys(others).length === 0
  )
}

function requestOf(
  { model }: AgentgatewayBody,
  messages: JsonValue[],
  isRaw: boolean,
  asked: Asked,
): CompactRequest {
  return {
    ...askedSettings(asked),
    messages,
    ...(!isRaw && { format: 'openai-chat' }),
    ...(typeof model === 'string' && model !== '' && { model }),
  }
}

function passAction({ outcome, reason }: GatewayNote) {
  return { action: { reason: reason === undefined ? outcome : `${outcome}: ${reason}` } }
}

function changed(
  { rawBody }: FastifyRequest,
  before: JsonValue[],
  { conversation, report }: CompactResult,
  isRaw: boolean,
): Buffer {
  const text = rawBody ?? Buffer.alloc(0)
  const range = valueAt(text, isRaw ? ['messages'] : ['body', 'messages'])
  if (range === undefined) throw new TypeError('The body has no messages')
  const writeMessages = (sink: ByteSink) => writeLike(sink, conversation, before, text, range)
  if (isRaw) return encodeJsonWith({}, new Map([['messages', writeMessages]]))
  const reason = `compacted from ${report.tokensBefore} to ${report.tokensAfter} tokens`
  const writeAction = (sink: ByteSink): void => {
    writeText(sink, `{"reason":${JSON.stringify(reason)},"body":{"messages":`)
    writeMessages(sink)
    writeText(sink, '}}')
  }
  return encodeJsonWith({}, new Map([['action', writeAction]]))
}

/** The gateway may fail closed: a fault of ours is a reason to pass. Raw, an answer without messages passes. */
function toError(problem: Problem): ContractAnswer {
  if (isCallersFault(problem)) {
    return { status: problem.status, body: { error: problemText(problem) } }
  }
  return { status: 200, body: { action: { reason: `passed: ${problem.code}` } } }
}
