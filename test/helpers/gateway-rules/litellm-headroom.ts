/**
 * What LiteLLM's guardrail `headroom` demands of an answer, and does with it
 * (`proxy/guardrails/guardrail_hooks/headroom/headroom.py`): anything it does not accept ends the
 * client's request with 502, unless the guardrail is set to fail open.
 */
interface Answer {
  readonly statusCode: number
  readonly body: string
}

/** The retrieval marker that makes LiteLLM add a tool to the request. */
const HASH = /hash=[a-f0-9]{24}/

export function acceptHeadroomAnswer({ statusCode, body }: Answer): Record<string, unknown>[] {
  if (statusCode !== 200) throw new Error(`returned an error: ${statusCode} ${body}`)
  const parsed: unknown = JSON.parse(body)
  if (!isObject(parsed)) throw new Error('unexpected response shape')
  const { messages } = parsed
  if (!Array.isArray(messages)) throw new Error("response missing 'messages'")
  const kept = messages.filter(isObject)
  if (kept.length === 0) throw new Error('returned empty message list')
  return kept
}

/** Whether LiteLLM would find a retrieval marker in the messages. */
export function hasHash(messages: readonly Record<string, unknown>[]): boolean {
  return messages.some(({ content }) => {
    if (typeof content === 'string') return HASH.test(content)
    if (!Array.isArray(content)) return false
    return content.some((block) => isObject(block) && HASH.test(String(block.text ?? '')))
  })
}

/** What LiteLLM copies into its log of spending, where it is there and a number. */
export function spendOf(body: string) {
  const { tokens_before, tokens_after, tokens_saved, compression_ratio, transforms_applied } =
    JSON.parse(body) as Record<string, unknown>
  return { tokens_before, tokens_after, tokens_saved, compression_ratio, transforms_applied }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
