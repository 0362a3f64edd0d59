import type { Insertion, Plan } from '../../engine/edit.ts'
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { applyPlan, refuseRewrite } from '../apply-plan.ts'
import { isArray, isRecord, withMember } from '../json.ts'
import { dataOf, signatureOf } from './members.ts'
import { rewriteResponse } from './response-text.ts'

export function writeGemini(payload: JsonObject, plan: Plan): JsonObject {
  return applyPlan(payload, plan, { list: 'contents', rewrite, toMessage })
}

/** Parts are numbered as they stand. */
function rewrite(message: JsonObject, texts: ReadonlyMap<number, string>): JsonObject {
  const { parts } = message
  if (!isArray(parts)) return refuseRewrite(texts.keys().next().value ?? 0)
  for (const index of texts.keys()) if (parts[index] === undefined) refuseRewrite(index)
  const rewritten = parts.map((part, index) => {
    const text = texts.get(index)
    return text === undefined ? part : rewritePart(part, index, text)
  })
  return withMember(message, 'parts', rewritten)
}

function rewritePart(part: JsonValue, index: number, text: string): JsonValue {
  if (!isRecord(part) || signatureOf(part) !== '') return refuseRewrite(index)
  const data = dataOf(part)
  if (data?.kind === 'text' && part.thought !== true) return withMember(part, 'text', text)
  // A note that says what was there, in the place of a medium.
  if (data?.kind === 'inlineData' || data?.kind === 'fileData') return { text }
  if (data?.kind !== 'functionResponse' || !isRecord(data.value)) return refuseRewrite(index)
  return withMember(part, data.name, rewriteResponse(data.value, text))
}

function toMessage({ role, text }: Insertion): JsonObject {
  return { role: role === 'assistant' ? 'model' : 'user', parts: [{ text }] }
}
