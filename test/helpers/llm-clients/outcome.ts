import type { LlmApi } from '../llm-servers/types.ts'

/** What a provider says of a prompt above its window, as its client throws it. */
export const OVERFLOWS: Readonly<Record<LlmApi, RegExp>> = {
  'openai-chat': /maximum context length is \d+ tokens/,
  'openai-responses': /exceeds the context window/,
  'anthropic-messages': /prompt is too long|exceed context limit/,
  gemini: /exceeds the maximum number of tokens allowed/,
}

/** What a client hands out, or what it throws, in a form that can be compared. */
export async function outcome(answer: Promise<{ readonly everything: unknown }>): Promise<unknown> {
  try {
    return { got: (await answer).everything }
  } catch (error) {
    return describeError(error)
  }
}

export function messageOf(error: unknown): string {
  return String((error as { readonly message?: unknown } | undefined)?.message)
}

function describeError(error: unknown): object {
  const { status, statusCode, code, type, param } = error as Record<string, unknown>
  const name = Object(error).constructor.name
  return { name, message: messageOf(error), status, statusCode, code, type, param }
}
