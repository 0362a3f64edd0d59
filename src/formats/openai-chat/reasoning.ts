import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { DraftPart } from '../draft.ts'
import { isArray, isRecord, textMember } from '../json.ts'
import { countEncrypted } from '../media/count-media.ts'
import { countOpaque } from '../media/opaque-tokens.ts'
import type { Reading } from '../reading.ts'

/** Members under which the details of other servers keep what can be read. */
const TEXTS = ['text', 'summary', 'thinking'] as const

/**
 * Reasoning that a server beside OpenAI sends back: a text, or a list of details. A detail that only
 * the provider can read (`reasoning.encrypted`, redacted thinking) is counted as encrypted text, and
 * a signature beside a text, as with Anthropic, not at all.
 */
export function reasoningPart(value: JsonValue, member: string, reading: Reading): DraftPart {
  const { context } = reading
  if (typeof value === 'string') {
    return { kind: 'reasoning', text: value, tokens: context.countTokens(value), rewritable: false }
  }
  const details = isArray(value) ? value : [value]
  const texts: string[] = []
  let tokens = 0
  for (const detail of details) {
    const text = isRecord(detail) ? readableText(detail) : undefined
    if (text !== undefined) texts.push(text)
    tokens += text === undefined ? countSealed(detail, reading) : context.countTokens(text)
  }
  const text = texts.length === 0 ? `[${member}]` : texts.join('\n')
  return { kind: 'reasoning', text, tokens, rewritable: false }
}

function readableText(detail: JsonObject): string | undefined {
  for (const name of TEXTS) {
    const text = textMember(detail, name)
    if (text !== undefined) return text
  }
  return undefined
}

function countSealed(detail: JsonValue, { context }: Reading): number {
  const sealed = isRecord(detail)
    ? (textMember(detail, 'data') ?? textMember(detail, 'signature'))
    : undefined
  return sealed === undefined ? countOpaque(detail, context) : countEncrypted(sealed)
}
