import type { Insertion, Plan } from '../../engine/edit.ts'
import type { JsonObject } from '../../engine/transcript.ts'
import { applyPlan, refuseRewrite } from '../apply-plan.ts'
import { rewriteBlocks, rewriteResult } from '../content-parts.ts'
import { withMember } from '../json.ts'
import { sitesOf } from './sites.ts'

export function writeOpenaiChat(payload: JsonObject, plan: Plan): JsonObject {
  return applyPlan(payload, plan, { list: 'messages', rewrite, toMessage })
}

function rewrite(message: JsonObject, texts: ReadonlyMap<number, string>): JsonObject {
  const sites = sitesOf(message)
  const blocks = new Map<number, string>()
  for (const [part, text] of texts) {
    const site = sites[part]
    if (site?.at === 'result')
      return withMember(message, 'content', rewriteResult(message.content, text))
    if (site?.at !== 'content') return refuseRewrite(part)
    blocks.set(site.block, text)
  }
  return withMember(message, 'content', rewriteBlocks(message.content, blocks))
}

function toMessage({ role, text }: Insertion): JsonObject {
  return { role, content: text }
}
