import type { Insertion, Plan } from '../../engine/edit.ts'
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { applyPlan, refuseRewrite } from '../apply-plan.ts'
import { isArray, isRecord, withMember } from '../json.ts'
import { rewriteOutput } from './output.ts'
import { breakpointOf } from './provider-options.ts'

export function writeAiSdk(payload: JsonObject, plan: Plan): JsonObject {
  return applyPlan(payload, plan, { list: 'messages', rewrite, toMessage })
}

/** Parts are numbered like those of the content; a string is part 0. */
function rewrite(message: JsonObject, texts: ReadonlyMap<number, string>): JsonObject {
  const { content } = message
  if (!isArray(content)) return withMember(message, 'content', texts.get(0) ?? content ?? '')
  const written = content.map((part, index) => {
    const text = texts.get(index)
    return text === undefined ? part : rewritePart(part, index, text)
  })
  return withMember(message, 'content', written)
}

const MEDIA: ReadonlySet<unknown> = new Set(['image', 'file'])

/** Of a text only the text changes, of a tool result its output; a medium becomes a text. */
function rewritePart(part: JsonValue, index: number, text: string): JsonValue {
  if (!isRecord(part)) return refuseRewrite(index)
  if (part.type === 'text') return withMember(part, 'text', text)
  if (MEDIA.has(part.type)) return { type: 'text', text, ...breakpointOf(part) }
  if (part.type !== 'tool-result' || !isRecord(part.output)) return refuseRewrite(index)
  return withMember(part, 'output', rewriteOutput(part.output, text))
}

function toMessage({ role, text }: Insertion): JsonObject {
  return { role, content: text }
}
