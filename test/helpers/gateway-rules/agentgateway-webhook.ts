/**
 * How agentgateway reads an answer (`crates/agentgateway/src/llm/policy/webhook.rs`): of the untagged
 * actions the first whose members are there. A mask rebuilds the list from role and content alone.
 */
type Message = Readonly<Record<string, unknown>>

export type WebhookAction =
  | { readonly kind: 'mask'; readonly messages: readonly Message[] }
  | { readonly kind: 'reject'; readonly status: number }
  | { readonly kind: 'pass' }

export function readGuardrailAction(body: string): WebhookAction {
  const { action } = JSON.parse(body) as { action?: Record<string, unknown> }
  if (action === undefined) throw new Error('missing field `action`')
  if (action.reason !== undefined && typeof action.reason !== 'string') {
    throw new Error('invalid type of `reason`')
  }
  const masked = (action.body as { messages?: unknown } | undefined)?.messages
  if (Array.isArray(masked)) {
    const messages = masked.map(({ role, content }) => {
      if (typeof role !== 'string' || typeof content !== 'string') {
        throw new Error('a message is no role and text')
      }
      return { role, content }
    })
    return { kind: 'mask', messages }
  }
  if (typeof action.body === 'string' && typeof action.status_code === 'number') {
    return { kind: 'reject', status: action.status_code }
  }
  return { kind: 'pass' }
}

/** Raw messages: none passes; an empty list, or one of anything but objects, is an error. */
export function readRawAnswer(body: string, sent: readonly Message[]): readonly Message[] {
  const { messages } = JSON.parse(body) as { messages?: unknown[] | null }
  if (messages === undefined || messages === null) return sent
  if (messages.length === 0) throw new Error('webhook returned an empty message array')
  if (messages.some((message) => typeof message !== 'object' || message === null)) {
    throw new Error('webhook returned non-object messages')
  }
  return messages as Message[]
}
