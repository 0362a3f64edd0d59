import { type GeminiContent, hasText, holds, holdsOnlyResponses, memberOf } from './gemini-parts.ts'
import type { Fault } from './types.ts'

/**
 * Thought signatures that Gemini 3 and later insist on (guide "Thought signatures").
 *
 * - `thought-signature-missing`: "Function call is missing a thought_signature in functionCall
 *   parts". Asked of the first call of every step in the current turn only; the turn starts at the
 *   newest user content with anything but function responses in it. Parallel calls behind the first
 *   have none, and nothing is asked of earlier turns.
 */
export function findGeminiSignatureFaults(
  contents: readonly GeminiContent[],
  model: unknown,
): Fault[] {
  if (!asksForSignatures(model)) return []
  const start = contents.findLastIndex(opensTurn)
  return contents.slice(start + 1).flatMap(({ role, parts, pointer }) => {
    if (role !== 'model') return []
    const position = parts.findIndex((part) => holds(part, 'functionCall'))
    const call = parts[position]
    if (call === undefined || hasText(memberOf(call, 'thoughtSignature'))) return []
    return [{ rule: 'thought-signature-missing', pointer: `${pointer}/parts/${position}` }]
  })
}

/** Names as the API takes them: `gemini-3-pro-preview`, `models/gemini-3.1-flash`, `google/gemini-4`. */
function asksForSignatures(model: unknown): boolean {
  const version = typeof model === 'string' ? /(?:^|\/)gemini-(\d+)/.exec(model)?.[1] : undefined
  return version !== undefined && Number(version) >= 3
}

function opensTurn(content: GeminiContent): boolean {
  const { isObject, role, parts } = content
  return isObject && role === 'user' && parts.length > 0 && !holdsOnlyResponses(content)
}
