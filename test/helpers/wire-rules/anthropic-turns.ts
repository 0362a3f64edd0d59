import { asArray, asRecord, isRecord, type JsonRecord } from './json.ts'

/** A block with its place in the payload. A string is one block of text. */
export interface PlacedBlock {
  readonly block: JsonRecord
  readonly pointer: string
}

/** Neighbouring messages of one role. */
export interface Turn {
  readonly role: unknown
  readonly blocks: readonly PlacedBlock[]
}

/**
 * The conversation as the API reads it: "Consecutive `user` or `assistant` turns in your request
 * will be combined into a single turn" (reference, `messages`). Messages of the role `system` are
 * instructions and not turns: what is wrong about their place is said by a rule of its own.
 */
export function turnsOf(messages: readonly unknown[]): Turn[] {
  const turns: { role: unknown; blocks: PlacedBlock[] }[] = []
  messages.forEach((value, index) => {
    const message = asRecord(value)
    if (message.role === 'system') return
    const blocks = placedBlocks(message.content, `/messages/${index}/content`)
    const last = turns.at(-1)
    if (last?.role === message.role) last?.blocks.push(...blocks)
    else turns.push({ role: message.role, blocks })
  })
  return turns
}

export function placedBlocks(content: unknown, pointer: string): PlacedBlock[] {
  if (typeof content === 'string' && content !== '') {
    return [{ block: { type: 'text', text: content }, pointer }]
  }
  return asArray(content).map((value, position) => ({
    block: asRecord(value),
    pointer: `${pointer}/${position}`,
  }))
}

/** The result of a tool that ran at the provider, `web_search_tool_result` and its kind. */
export function isServerResult({ type }: JsonRecord): boolean {
  return typeof type === 'string' && type !== 'tool_result' && type.endsWith('tool_result')
}

/**
 * "The directive-only form (`content: []` with `output_config`)" of a system message, which carries
 * a setting and no words. `content` may be left out; an `output_config` without fields sets nothing
 * (SDK, `BetaSystemMessageOutputConfig`).
 */
export function isDirective(message: JsonRecord): boolean {
  const { role, content, output_config: settings } = message
  const isEmpty =
    content === undefined || content === null || content === '' || isEmptyList(content)
  return role === 'system' && isEmpty && isRecord(settings) && Object.keys(settings).length > 0
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}
