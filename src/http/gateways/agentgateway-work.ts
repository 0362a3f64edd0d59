import type { AgentgatewayBody } from '../../contract/gateways/agentgateway.ts'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import { compactInSteps } from '../../conversation/compact-in-steps.ts'
import type { CompactRequest } from '../../conversation/request.ts'
import { PrecisError } from '../../engine/errors.ts'
import type { JsonValue } from '../../engine/transcript.ts'
import { isRecord } from '../../formats/json.ts'
import { type ByteSink, writeText } from '../../json-text/byte-sink.ts'
import { writeLike } from '../../json-text/encode-like.ts'
import type { Asked } from '../../proxy/asked.ts'
import type { Work, Worked } from '../../workers/work.ts'
import { encodeJsonWith } from '../body/encode-json.ts'
import { askedSettings } from './asked-settings.ts'
import { attempt } from './attempt.ts'
import { type GatewayNote, noteOf } from './note-outcome.ts'
import { valueAt } from './value-at.ts'

export interface AgentgatewayAsk {
  readonly asked: Asked
  /** Time for the answer, from when it was asked for. */
  readonly limitMs: number
}

/** agentgateway's webhook, for a body that follows its schema. */
export const agentgatewayWork: Work<AgentgatewayAsk, GatewayNote> = async (
  posted,
  { asked, limitMs },
  context,
) => {
  const body = posted.body as AgentgatewayBody
  const isRaw = body.body === undefined
  const messages = messagesOf(body)
  const pass = (note: GatewayNote): Worked<GatewayNote> => ({
    answer: Buffer.from(JSON.stringify(isRaw ? {} : passAction(note))),
    told: note,
  })
  if (asked.bypass) return pass({ outcome: 'bypassed' })
  if (!isRaw && !messages.every(isPlain)) {
    return pass({ outcome: 'passed', reason: 'not-plain-text' })
  }
  const tried = await attempt(limitMs, context, (ports) =>
    compactInSteps(requestOf(body, messages, isRaw, asked), context.conversation, ports),
  )
  if ('passed' in tried) return pass({ outcome: 'passed', reason: tried.passed })
  const { result } = tried
  if (result.report.outcome === 'unchanged') return pass(noteOf(result))
  const text = posted.rawBody ?? Buffer.alloc(0)
  return { answer: changed(text, messages, result, isRaw), told: noteOf(result) }
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
  text: Buffer,
  before: JsonValue[],
  { conversation, report }: CompactResult,
  isRaw: boolean,
): Buffer {
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
