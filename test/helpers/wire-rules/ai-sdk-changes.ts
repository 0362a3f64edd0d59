import { isReasoning, readAiSdkMessage } from './ai-sdk-parts.ts'
import { asArray, type JsonRecord } from './json.ts'
import type { Fault, WirePayload } from './types.ts'

/**
 * What a change of a conversation of ModelMessages did to its reasoning. Providers find what they
 * sealed in `providerOptions` (Anthropic's `signature`, OpenAI's `reasoningEncryptedContent`,
 * Google's `thoughtSignature` on any part) and check it against the part it came with. Messages may
 * go as a whole, and other parts may be shortened. Pointers are into `after`.
 *
 * - `sealed-changed`: a reasoning part, or another sealed one, is not one of `before`; or a part
 *   lost the options that held its seal.
 * - `reasoning-parted`: the message kept something, but not all of its reasoning (vercel/ai issues
 *   11036, 13430, 21102).
 */
export function findAiSdkChanges(before: WirePayload, after: WirePayload): Fault[] {
  const old = assistantMessages(before)
  const parts = old.flatMap((message) => message.parts)
  const takeSealed = supplyOf(parts.filter(isSealed).map(textOf))
  const takeOpen = supplyOf(parts.filter((part) => !isSealed(part)).map(textOf))
  const stripped = new Set(parts.filter(isSealed).map((part) => textOf(withoutOptions(part))))
  const whole = new Set(old.map(({ reasoning }) => reasoning))
  const takeThoughtless = supplyOf(old.filter(isThoughtless).flatMap(({ rest }) => rest))
  const thoughtful = new Set(
    old.filter((message) => !isThoughtless(message)).flatMap(({ rest }) => rest),
  )
  return assistantMessages(after).flatMap((message) => {
    const changed = message.parts.flatMap((part, position) => {
      const text = textOf(part)
      const isKept = isSealed(part) ? takeSealed(text) : takeOpen(text) || !stripped.has(text)
      if (isKept) return []
      return [{ rule: 'sealed-changed', pointer: `${message.pointer}/content/${position}` }]
    })
    if (changed.length > 0) return changed
    const isParted = isThoughtless(message)
      ? message.rest.some((text) => !takeThoughtless(text) && thoughtful.has(text))
      : !whole.has(message.reasoning)
    return isParted ? [{ rule: 'reasoning-parted', pointer: message.pointer }] : []
  })
}

interface AssistantMessage {
  readonly pointer: string
  readonly parts: readonly JsonRecord[]
  /** JSON of all reasoning parts, in order; '' where there are none. */
  readonly reasoning: string
  /** JSON of each other part. */
  readonly rest: readonly string[]
}

function assistantMessages(payload: WirePayload): AssistantMessage[] {
  return asArray(payload.messages).flatMap((value, index) => {
    const { role, parts, pointer } = readAiSdkMessage(value, index)
    if (role !== 'assistant') return []
    const reasoning = parts.filter(isReasoning)
    return [
      {
        pointer,
        parts,
        reasoning: reasoning.length === 0 ? '' : textOf(reasoning),
        rest: parts.filter((part) => !isReasoning(part)).map(textOf),
      },
    ]
  })
}

function isThoughtless({ reasoning }: AssistantMessage): boolean {
  return reasoning === ''
}

const SEAL =
  /"(?:signature|thoughtSignature|redactedData|encryptedContent|reasoningEncryptedContent)":/

function isSealed(part: JsonRecord): boolean {
  return isReasoning(part) || SEAL.test(textOf([part.providerOptions, part.providerMetadata]))
}

function withoutOptions(part: JsonRecord): JsonRecord {
  const { providerOptions, providerMetadata, ...rest } = part
  return rest
}

function textOf(value: unknown): string {
  return JSON.stringify(value)
}

/** Hands out each text as often as it is there; false when there is none left. */
function supplyOf(texts: readonly string[]): (text: string) => boolean {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return (text) => {
    const left = counts.get(text) ?? 0
    counts.set(text, left - 1)
    return left > 0
  }
}
