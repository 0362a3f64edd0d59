/** The output of a tool result: what it says, what it costs, and how it says less. */
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { joinResult, type ResultPiece } from '../content-parts.ts'
import type { DraftPart } from '../draft.ts'
import { isArray, isRecord, jsonText, textMember, withMember } from '../json.ts'
import type { Block, Reading } from '../reading.ts'
import { readOutputMedia } from './media.ts'
import { breakpointOf } from './provider-options.ts'

/** Types that are replaced by a text, and the type of that text: a failure stays one. */
const REWRITTEN: ReadonlyMap<string, 'text' | 'error-text'> = new Map([
  ['text', 'text'],
  ['json', 'text'],
  ['content', 'text'],
  ['error-text', 'error-text'],
  ['error-json', 'error-text'],
])

const FAILURES: ReadonlySet<string> = new Set(['error-text', 'error-json', 'execution-denied'])

/**
 * One part for the whole output, so that clearing it takes its media away too. Not rewritable where
 * the shape is not known.
 */
export function outputPart(block: Block, reading: Reading): DraftPart {
  const { output } = block
  const type = isRecord(output) ? textMember(output, 'type') : undefined
  const isKnown = isRecord(output) && type !== undefined && isWellFormed(output, type)
  const part = isKnown
    ? knownOutput(output, type, reading)
    : plainPart(jsonText(output), false, reading)
  if (type !== undefined && FAILURES.has(type)) part.isError = true
  else if (isKnown) part.isError = false
  return part
}

/** The output that says only `text`, of a type that every version of the SDK takes. */
export function rewriteOutput(output: JsonObject, text: string): JsonObject {
  const { type, value } = output
  if (type === 'content' && isArray(value)) {
    // A list has its cache breakpoint at an item, and no other place for it.
    const [breakpoint] = value
      .map((item) => (isRecord(item) ? breakpointOf(item) : {}))
      .filter(({ providerOptions }) => providerOptions !== undefined)
    if (breakpoint !== undefined) {
      return withMember(output, 'value', [{ type: 'text', text, ...breakpoint }])
    }
  }
  const written = REWRITTEN.get(typeof type === 'string' ? type : '') ?? 'text'
  return { ...output, type: written, value: text }
}

function isWellFormed({ value }: JsonObject, type: string): boolean {
  if (type === 'text' || type === 'error-text') return typeof value === 'string'
  if (type === 'content') return isArray(value)
  if (type === 'json' || type === 'error-json') return value !== undefined
  return type === 'execution-denied'
}

function knownOutput(output: JsonObject, type: string, reading: Reading): DraftPart {
  const { value } = output
  if (type === 'execution-denied') {
    const reason = textMember(output, 'reason')
    return plainPart(reason === undefined ? `[${type}]` : `[${type}] ${reason}`, false, reading)
  }
  if (isArray(value) && type === 'content') return contentPart(value, reading)
  return plainPart(typeof value === 'string' ? value : jsonText(value), true, reading)
}

function plainPart(text: string, rewritable: boolean, { context }: Reading): DraftPart {
  return { kind: 'tool-result', text, tokens: context.countTokens(text), rewritable }
}

function contentPart(items: readonly JsonValue[], reading: Reading): DraftPart {
  const pieces = items.map((item): ResultPiece => {
    if (isTextItem(item)) return { text: item.text }
    const media = isTyped(item) ? readOutputMedia(item, reading.context) : undefined
    return { type: isTyped(item) ? item.type : 'item', block: item, media, isClearable: false }
  })
  return joinResult(pieces, reading)
}

function isTyped(item: JsonValue): item is JsonObject & { readonly type: string } {
  return isRecord(item) && typeof item.type === 'string'
}

function isTextItem(
  item: JsonValue,
): item is JsonObject & { readonly type: 'text'; readonly text: string } {
  return isRecord(item) && item.type === 'text' && typeof item.text === 'string'
}
