import type { SummarizerDialect } from './dialect.ts'
import { isRecord, type JsonRecord, readModelName } from './json-value.ts'
import { stripReasoning } from './strip-reasoning.ts'

/**
 * OpenAI chat completions, and the many servers that speak it.
 *
 * `max_completion_tokens` and not `max_tokens`: OpenAI deprecated the latter and its reasoning models
 * answer it with 400. Servers that only know the old name can be told so (`tokenLimitMember`).
 * `temperature` is not sent: the same models refuse any value but their default, and the others are
 * not made deterministic by 0. `tools` and `tool_choice` are not sent: without the first a model has
 * nothing to call, and some servers refuse the second without the first.
 */
export const createOpenaiDialect = (
  tokenLimitMember: 'max_completion_tokens' | 'max_tokens' = 'max_completion_tokens',
): SummarizerDialect => ({
  name: 'openai',

  headers: (apiKey) => ({
    'content-type': 'application/json',
    accept: 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }),

  body: ({ model, instructions, input, maxOutputTokens }) => ({
    model,
    messages: [
      // 'system' and not 'developer': OpenAI takes both for every model, other servers only this one.
      { role: 'system', content: instructions },
      { role: 'user', content: input },
    ],
    [tokenLimitMember]: maxOutputTokens,
    stream: false,
  }),

  read: (payload) => {
    if (!isRecord(payload) || !Array.isArray(payload.choices)) return null
    const choice: unknown = payload.choices[0]
    if (!isRecord(choice) || !isRecord(choice.message)) return null
    const { message, finish_reason: finishReason } = choice
    const text = readText(message)
    if (text === null) return null
    return {
      // What a provider's filter has left of an answer is a fragment that may read like a summary.
      text: finishReason === 'content_filter' ? (readRefusal(message) ?? '') : text,
      toolCalls: hasToolCalls(message),
      refused: finishReason === 'content_filter' || hasRefusal(message),
      truncated: finishReason === 'length',
      model: readModelName(payload),
    }
  },
})

const readRefusal = (message: JsonRecord): string | undefined =>
  typeof message.refusal === 'string' && message.refusal !== '' ? message.refusal : undefined

const hasRefusal = (message: JsonRecord): boolean =>
  readRefusal(message) !== undefined ||
  (Array.isArray(message.content) &&
    message.content.some((part) => isRecord(part) && part.type === 'refusal'))

/** Null when the content has a shape that the API does not know. Reasoning members are never read. */
const readText = (message: JsonRecord): string | null => {
  const refusal = readRefusal(message)
  if (refusal !== undefined) return refusal
  const { content } = message
  if (content === null || content === undefined) return ''
  if (typeof content === 'string') return stripReasoning(content)
  if (!Array.isArray(content)) return null
  return stripReasoning(content.map(readPart).join(''))
}

const readPart = (part: unknown): string => {
  if (!isRecord(part)) return ''
  if (part.type === 'text' && typeof part.text === 'string') return part.text
  if (part.type === 'refusal' && typeof part.refusal === 'string') return part.refusal
  return ''
}

const hasToolCalls = (message: JsonRecord): boolean =>
  (Array.isArray(message.tool_calls) && message.tool_calls.length > 0) ||
  isRecord(message.function_call)
