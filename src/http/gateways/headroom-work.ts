import type { HeadroomBody } from '../../contract/gateways/headroom.ts'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import { type ByteSink, writeBytes } from '../../json-text/byte-sink.ts'
import { createJsonSource } from '../../json-text/json-source.ts'
import type { Asked } from '../../proxy/asked.ts'
import type { Work, Worked } from '../../workers/work.ts'
import { encodeJsonWith } from '../body/encode-json.ts'
import { postedConversation } from '../body/posted-conversation.ts'
import { attempt } from './attempt.ts'
import { compactAsHeadroom } from './headroom-request.ts'
import { type GatewayNote, noteOf } from './note-outcome.ts'

export interface HeadroomAsk {
  readonly asked: Asked
  /** Time for the answer, from when it was asked for. */
  readonly limitMs: number
}

/** Headroom's compress endpoint, for a body that follows its schema. */
export const headroomWork: Work<HeadroomAsk, GatewayNote> = async (
  posted,
  { asked, limitMs },
  context,
) => {
  const body = posted.body as HeadroomBody
  const text = posted.rawBody ?? Buffer.alloc(0)
  if (asked.bypass) return untouched(text, {}, { outcome: 'bypassed' })
  if (body.messages.length === 0) return untouched(text, {}, { outcome: 'unchanged' })
  const { itemBytes, write } = postedConversation(posted)
  const tried = await attempt(limitMs, context, (ports) =>
    compactAsHeadroom(body, asked, context.conversation, { ...ports, itemBytes }),
  )
  if ('passed' in tried) return skipped(text, tried.passed)
  const { result } = tried
  if (!keepsFrozen(result, body)) return skipped(text, 'frozen-prefix')
  const writers = new Map([['messages', (sink: ByteSink) => write(sink, result.conversation)]])
  return { answer: encodeJsonWith(membersOf(result), writers), told: noteOf(result) }
}

/**
 * The messages as they came, and why: a fixed word. `text` is JSON, with an array of messages.
 */
export function skipped(text: Buffer, reason: string): Worked<GatewayNote> {
  const members = { compression_skipped: true, skip_reason: reason }
  return untouched(text, members, { outcome: 'passed', reason })
}

/** Headroom tells no counts of what it has not looked at. */
function untouched(text: Buffer, members: object, told: GatewayNote): Worked<GatewayNote> {
  const range = createJsonSource(text).member('messages')
  if (range === undefined) throw new TypeError('The body has no messages')
  const answer = {
    messages: null,
    tokens_before: 0,
    tokens_after: 0,
    tokens_saved: 0,
    compression_ratio: 1,
    transforms_applied: [],
    transforms_summary: {},
    ccr_hashes: [],
    ...members,
  }
  const write = (sink: ByteSink) => writeBytes(sink, text, range.start, range.end)
  return { answer: encodeJsonWith(answer, new Map([['messages', write]])), told }
}

function membersOf(result: CompactResult) {
  const { report } = result
  const { tokensBefore, tokensAfter } = report
  const summary: Record<string, number> = {}
  for (const { stage, status, dropped, rewritten } of report.stages) {
    if (status !== 'applied') continue
    if (dropped > 0) summary[`${stage}:dropped`] = dropped
    if (rewritten > 0) summary[`${stage}:rewritten`] = rewritten
  }
  return {
    messages: null,
    tokens_before: tokensBefore,
    tokens_after: tokensAfter,
    tokens_saved: tokensBefore - tokensAfter,
    compression_ratio: tokensBefore === 0 ? 1 : tokensAfter / tokensBefore,
    transforms_applied: Object.entries(summary).map(([what, count]) => `${what}:${count}`),
    transforms_summary: summary,
    ccr_hashes: [],
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
