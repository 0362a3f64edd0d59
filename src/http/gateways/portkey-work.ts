import type { PortkeyBody } from '../../contract/gateways/portkey.ts'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import { compactInSteps } from '../../conversation/compact-in-steps.ts'
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { FormatId } from '../../formats/adapter.ts'
import { writeText } from '../../json-text/byte-sink.ts'
import { writeLike } from '../../json-text/encode-like.ts'
import type { Asked } from '../../proxy/asked.ts'
import { goesOnFromHeld } from '../../proxy/held-conversation.ts'
import { compactRequestOf } from '../../proxy/proxied-request.ts'
import type { Work, Worked } from '../../workers/work.ts'
import { encodeJsonWith } from '../body/encode-json.ts'
import type { PostedBody } from '../body/posted-conversation.ts'
import { attempt } from './attempt.ts'
import { type GatewayNote, noteOf } from './note-outcome.ts'
import { valueAt } from './value-at.ts'

export interface PortkeyAsk {
  readonly asked: Asked
  /** Time for the answer, from when it was asked for. */
  readonly limitMs: number
}

/** Portkey's webhook, for a body that follows its schema. */
export const portkeyWork: Work<PortkeyAsk, GatewayNote> = async (
  posted,
  { asked, limitMs },
  context,
) => {
  const body = posted.body as PortkeyBody
  if (asked.bypass) return pass({ outcome: 'bypassed' })
  const format = formatOf(body)
  const json = body.request.json as JsonObject | null
  if (json === null || format === undefined) {
    return pass({ outcome: 'passed', reason: 'no-conversation' })
  }
  if (goesOnFromHeld(json, format)) return pass({ outcome: 'passed', reason: 'held-by-provider' })
  const read = { text: posted.rawBody ?? Buffer.alloc(0), json }
  const work = compactRequestOf(read, { format, model: undefined }, asked)
  const tried = await attempt(limitMs, context, (ports) =>
    compactInSteps(work, context.conversation, ports),
  )
  if ('passed' in tried) return pass({ outcome: 'passed', reason: tried.passed })
  const { result } = tried
  if (result.report.outcome === 'unchanged') return pass(noteOf(result))
  return changed(posted, { ...json, [result.list]: result.conversation } as JsonObject, result)
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

function pass(note: GatewayNote): Worked<GatewayNote> {
  return { answer: Buffer.from(JSON.stringify({ verdict: true, data: note })), told: note }
}

function changed(
  { body, rawBody }: PostedBody,
  edited: JsonObject,
  result: CompactResult,
): Worked<GatewayNote> {
  const text = rawBody ?? Buffer.alloc(0)
  const range = valueAt(text, ['request', 'json'])
  if (range === undefined) throw new TypeError('The body has no request')
  const before = (body as PortkeyBody).request.json
  const note = noteOf(result)
  const answer = encodeJsonWith(
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
  return { answer, told: note }
}
