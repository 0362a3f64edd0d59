import type { SummarizerDialect } from './dialect.ts'
import { isRecord, type JsonRecord, readModelName } from './json-value.ts'
import { stripReasoning } from './strip-reasoning.ts'

/** The only version of the Messages API so far; the header is mandatory. */
const ANTHROPIC_VERSION = '2023-06-01'

/**
 * Anthropic Messages. Without `tools` there is nothing to call, without `thinking` nothing is thought
 * aloud, and `temperature` is not sent because newer models refuse it.
 */
export const createAnthropicDialect = (): SummarizerDialect => ({
  name: 'anthropic',

  headers: (apiKey) => ({
    'content-type': 'application/json',
    accept: 'application/json',
    'anthropic-version': ANTHROPIC_VERSION,
    ...(apiKey === undefined ? {} : { 'x-api-key': apiKey }),
  }),

  body: ({ model, instructions, input, maxOutputTokens }) => ({
    model,
    max_tokens: maxOutputTokens,
    system: instructions,
    messages: [{ role: 'user', content: input }],
    stream: false,
  }),

  read: (payload) => {
    if (!isRecord(payload) || !Array.isArray(payload.content)) return null
    const { content, stop_reason: stopReason } = payload
    return {
      // After a refusal the content is what had been written before the classifier stepped in: a
      // fragment that may read like a summary. Nothing of it may stand for one.
      text: stopReason === 'refusal' ? '' : readText(content),
      toolCalls: content.some((block) => isRecord(block) && isToolUse(block)),
      refused: stopReason === 'refusal',
      truncated: stopReason === 'max_tokens' || stopReason === 'model_context_window_exceeded',
      model: readModelName(payload),
    }
  },
})

/** Text blocks are one text that was cut where a citation begins: nothing goes between them. */
const readText = (content: readonly unknown[]): string =>
  stripReasoning(
    content
      .map((block) =>
        isRecord(block) && block.type === 'text' && typeof block.text === 'string'
          ? block.text
          : '',
      )
      .join(''),
  )

const isToolUse = (block: JsonRecord): boolean =>
  block.type === 'tool_use' || block.type === 'server_tool_use' || block.type === 'mcp_tool_use'
