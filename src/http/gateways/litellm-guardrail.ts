import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import {
  type LitellmGuardrailBody,
  LitellmGuardrailBodySchema,
  LitellmGuardrailErrorSchema,
  LitellmGuardrailResponseSchema,
} from '../../contract/gateways/litellm-guardrail.ts'
import { type CompactResult, compactConversation } from '../../conversation/compact-conversation.ts'
import type { CompactRequest } from '../../conversation/request.ts'
import type { JsonValue } from '../../engine/transcript.ts'
import { type Asked, readAsked } from '../../proxy/asked.ts'
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
import type { GatewayOptions } from './gateway-options.ts'
import { type GatewayNote, noteOf, noteOutcome } from './note-outcome.ts'
import { blockCount, type TextSlot, textAt, textSlots } from './text-slots.ts'

const CONTRACT = 'litellm'

/** The texts go back by their places: nothing may be taken out, put in or merged. */
const REWRITING_ONLY: NonNullable<CompactRequest['options']> = {
  relevance: { enabled: false },
  collapse: { enabled: false },
  summarize: { enabled: false },
  truncate: { drop: false },
}

/** LiteLLM's Generic Guardrail API: texts in, as many texts out. */
export const litellmGuardrailContract: FastifyPluginAsync<GatewayOptions> = async (
  app,
  { conversation, metrics, deadlineMs },
) => {
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  app.post<{ Body: LitellmGuardrailBody }>(
    '/beta/litellm_basic_guardrail_api',
    {
      config: { keyHeader: 'x-api-key' },
      schema: {
        operationId: 'litellmGuardrail',
        summary: "Shorten texts of a conversation, by LiteLLM's Generic Guardrail API",
        description:
          'Rewrites old tool output, and drops nothing: this contract writes texts back by their places.',
        tags: ['gateways'],
        body: LitellmGuardrailBodySchema,
        response: {
          200: { description: 'What to write back.', ...LitellmGuardrailResponseSchema },
          '4xx': { description: 'The request is at fault.', ...LitellmGuardrailErrorSchema },
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const { body } = request
      const asked = readAsked(request.headers)
      const limitMs = askedTime(request, deadlineMs)
      const answer = (note: GatewayNote, texts?: readonly string[]): FastifyReply => {
        noteOutcome(reply, metrics, CONTRACT, note)
        const reaction =
          texts === undefined ? { action: 'NONE' } : { action: 'GUARDRAIL_INTERVENED', texts }
        return reply.type(JSON_MEDIA_TYPE).send(JSON.stringify(reaction))
      }
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
      const tried = await attempt(request, reply, { metrics, limitMs }, (ports) =>
        compactConversation(requestOf(body, messages, asked), conversation, ports),
      )
      if ('passed' in tried) return answer({ outcome: 'passed', reason: tried.passed })
      const rewritten = rewrittenTexts(texts, messages, slots, tried.result)
      if (rewritten === undefined) return answer({ outcome: 'passed', reason: 'internal' })
      const isChanged = rewritten.some((text, index) => text !== texts[index])
      const note = noteOf(tried.result)
      return isChanged ? answer(note, rewritten) : answer({ ...note, outcome: 'unchanged' })
    },
  )
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

/** An error would end the client's request, or not, as the guardrail is set: ours is no reason for it. */
function toError(problem: Problem): ContractAnswer {
  return isCallersFault(problem)
    ? { status: problem.status, body: { detail: problemText(problem) } }
    : { status: 200, body: { action: 'NONE' } }
}
