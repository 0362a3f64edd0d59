import type { Insertion, Plan } from '../../engine/edit.ts'
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { applyPlan, refuseRewrite } from '../apply-plan.ts'
import { rewriteBlocks, rewriteResult } from '../content-parts.ts'
import { withMember } from '../json.ts'
import { typeOf } from './items.ts'
import { rewriteChunks } from './shell-output.ts'

export function writeOpenaiResponses(payload: JsonObject, plan: Plan): JsonObject {
  return applyPlan(payload, plan, { list: 'input', rewrite, toMessage })
}

/** The parts of a message are numbered like its blocks; a result has one part. */
function rewrite(item: JsonObject, texts: ReadonlyMap<number, string>): JsonObject {
  const type = typeOf(item)
  if (type === 'message') {
    const noteType = item.role === 'assistant' ? 'output_text' : 'input_text'
    return withMember(item, 'content', rewriteBlocks(item.content, texts, noteType))
  }
  const [[part, text] = [-1, '']] = texts
  if (part !== 0 || texts.size > 1) return refuseRewrite(part)
  return withMember(item, 'output', rewriteOutput(item, type, text))
}

function rewriteOutput(item: JsonObject, type: string, text: string): JsonValue {
  switch (type) {
    case 'function_call_output':
    case 'custom_tool_call_output':
      return rewriteResult(item.output, text, 'input_text')
    case 'apply_patch_call_output':
      return text
    case 'shell_call_output':
      return rewriteChunks(item.output, text)
    default:
      return refuseRewrite(0)
  }
}

/** The API's plain form of a message takes a string from either side (`EasyInputMessage`). */
function toMessage({ role, text }: Insertion): JsonObject {
  return { type: 'message', role, content: text }
}
