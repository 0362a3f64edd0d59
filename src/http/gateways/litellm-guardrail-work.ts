import type { LitellmGuardrailBody } from '../../contract/gateways/litellm-guardrail.ts'
import { type CompactResult, compactConversation } from '../../conversation/compact-conversation.ts'
import type { CompactRequest } from '../../conversation/request.ts'
import type { JsonValue } from '../../engine/transcript.ts'
import type { Asked } from '../../proxy/asked.ts'
import type { Work, Worked } from '../../workers/work.ts'
import { askedSettings } from './asked-settings.ts'
import { attempt } from './attempt.ts'
import { type GatewayNote, noteOf } from './note-outcome.ts'
import { blockCount, type TextSlot, textAt, textSlots } from './text-slots.ts'

/** The texts go back by their places: nothing may be taken out, put in or merged. */
const REWRITING_ONLY: NonNullable<CompactRequest['options']> = {
  relevance: { enabled: false },
  collapse: { enabled: false },
  summarize: { enabled: false },
  truncate: { drop: false },
}

export interface LitellmGuardrailAsk {
  readonly asked: Asked
  /** Time for the answer, from when it was asked for. */
  readonly limitMs: number
}

/** LiteLLM's Generic Guardrail API, for a body that follows its schema. */
export const litellmGuardrailWork: Work<LitellmGuardrailAsk, GatewayNote> = async (
  posted,
  { asked, limitMs },
  context,
) => {
  const body = posted.body as LitellmGuardrailBody
  if (asked.bypass) return answer({ outcome: 'bypassed' })
  if (body.input_type !== undefined && body.input_type !== 'request') {
    return answer({ outcome: 'passed', reason: 'not-a-request' })
  }
  const texts = body.texts ?? []
  const messages = (body.structured_messages ?? []) as JsonValue[]
  const slots = textSlots(messages)
  if (!areTexts(texts, messages, slots)) {
    return answer({ outcome: 'passed', reason: 'other-texts' })
  }
  const tried = await attempt(limitMs, context, (ports) =>
    compactConversation(requestOf(body, messages, asked), context.conversation, ports),
  )
  if ('passed' in tried) return answer({ outcome: 'passed', reason: tried.passed })
  const rewritten = rewrittenTexts(texts, messages, slots, tried.result)
  if (rewritten === undefined) return answer({ outcome: 'passed', reason: 'internal' })
  const isChanged = rewritten.some((text, index) => text !== texts[index])
  const note = noteOf(tried.result)
  return isChanged ? answer(note, rewritten) : answer({ ...note, outcome: 'unchanged' })
}

function answer(told: GatewayNote, texts?: readonly string[]): Worked<GatewayNote> {
  const reaction =
    texts === undefined ? { action: 'NONE' } : { action: 'GUARDRAIL_INTERVENED', texts }
  return { answer: Buffer.from(JSON.stringify(reaction)), told }
}

/**
 * Whether the texts are those of the messages, all of them in order. They are not where a guardrail is
 * set to send a part of either, or where the messages were translated from another API's.
 */
function areTexts(
  texts: readonly string[],
  messages: readonly JsonValue[],
  slots: readonly TextSlot[],
): boolean {
  return (
    slots.length > 0 &&
    slots.length === texts.length &&
    slots.every((slot, index) => textAt(messages, slot) === texts[index])
  )
}

function requestOf(
  { model, tools, additional_provider_specific_params: params }: LitellmGuardrailBody,
  messages: JsonValue[],
  asked: Asked,
): CompactRequest {
  return {
    ...askedSettings(asked),
    format: 'openai-chat',
    messages,
    options: REWRITING_ONLY,
    ...(typeof model === 'string' && model !== '' && { model }),
    ...(tools && { tools: tools as JsonValue[] }),
    ...(params?.target_tokens !== undefined && { targetTokens: params.target_tokens }),
    ...(params?.context_window !== undefined && { contextWindow: params.context_window }),
    ...(params?.max_output_tokens !== undefined && { maxOutputTokens: params.max_output_tokens }),
  }
}

/** Undefined if a message is gone, which no option allows. */
function rewrittenTexts(
  texts: readonly string[],
  before: readonly JsonValue[],
  slots: readonly TextSlot[],
  { messages: after }: CompactResult,
): readonly string[] | undefined {
  if (after.length !== before.length) return undefined
  return slots.map((slot, index) => {
    const text = texts[index] ?? ''
    const isSlotThere = blockCount(after[slot.message]) === blockCount(before[slot.message])
    return isSlotThere ? (textAt(after, slot) ?? text) : text
  })
}
