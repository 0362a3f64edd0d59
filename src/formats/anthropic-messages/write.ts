import type { Insertion, Plan } from '../../engine/edit.ts'
import type { JsonObject } from '../../engine/transcript.ts'
import { applyPlan } from '../apply-plan.ts'
import { rewriteBlocks } from '../content-parts.ts'
import { withMember } from '../json.ts'

export function writeAnthropicMessages(payload: JsonObject, plan: Plan): JsonObject {
  return applyPlan(payload, plan, { list: 'messages', rewrite, toMessage })
}

/** Parts are numbered like blocks. */
function rewrite(message: JsonObject, texts: ReadonlyMap<number, string>): JsonObject {
  return withMember(message, 'content', rewriteBlocks(message.content, texts))
}

function toMessage({ role, text }: Insertion): JsonObject {
  return { role, content: text }
}
