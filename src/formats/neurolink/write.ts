import type { Insertion, Plan } from '../../engine/edit.ts'
import type { JsonObject } from '../../engine/transcript.ts'
import { applyPlan, refuseRewrite } from '../apply-plan.ts'
import { rewriteBlocks, rewriteResult } from '../content-parts.ts'
import { itemsOf } from '../conversation-list.ts'
import { isRecord, textMember, withMember } from '../json.ts'
import { sitesOf } from './sites.ts'

interface UsedIds {
  readonly all: Set<string>
  /** By the id that was wanted, the first number not yet tried, so that no search starts again. */
  readonly nextNumbers: Map<string, number>
}

export function writeNeurolink(payload: JsonObject, plan: Plan): JsonObject {
  const usedIds: UsedIds = { all: new Set(), nextNumbers: new Map() }
  if (plan.insertions.length > 0) {
    for (const [index, message] of itemsOf(payload, 'messages').entries()) {
      const id =
        isRecord(message) && !plan.dropped.has(index) ? textMember(message, 'id') : undefined
      if (id !== undefined) usedIds.all.add(id)
    }
  }
  return applyPlan(payload, plan, {
    list: 'messages',
    rewrite,
    toMessage: (insertion) => toMessage(insertion, usedIds),
  })
}

/** `metadata.truncated` is how a ChatMessage says that its text is not the whole. */
function rewrite(message: JsonObject, texts: ReadonlyMap<number, string>): JsonObject {
  const sites = sitesOf(message)
  const blocks = new Map<number, string>()
  let written = message
  for (const [part, text] of texts) {
    const site = sites[part]
    if (site?.at === 'content') {
      blocks.set(site.block, text)
    } else if (site?.at === 'result') {
      written = withMember(written, 'content', rewriteResult(message.content, text))
    } else if (site?.at === 'error' && isRecord(message.result)) {
      written = withMember(written, 'result', withMember(message.result, 'error', text))
    } else {
      refuseRewrite(part)
    }
  }
  if (blocks.size > 0) {
    written = withMember(written, 'content', rewriteBlocks(message.content, blocks))
  }
  const metadata = isRecord(message.metadata) ? message.metadata : {}
  return withMember(written, 'metadata', withMember(metadata, 'truncated', true))
}

/**
 * Ids come from what the message stands for, so that the same run writes the same conversation;
 * there is no timestamp for the same reason.
 */
function toMessage(insertion: Insertion, usedIds: UsedIds): JsonObject {
  const { kind, role, text, covers, coversFrom, coversTo } = insertion
  if (kind === 'marker') {
    const id = freeId(`truncation-marker-${covers}`, usedIds)
    return { id, role, content: text, isTruncationMarker: true }
  }
  const span =
    coversFrom === undefined || coversTo === undefined ? covers : `${coversFrom}-${coversTo}`
  return {
    id: freeId(`summary-${span}`, usedIds),
    role,
    content: text,
    metadata: {
      isSummary: true,
      ...(coversFrom !== undefined && { summarizesFrom: coversFrom }),
      ...(coversTo !== undefined && { summarizesTo: coversTo }),
    },
  }
}

function freeId(wanted: string, { all, nextNumbers }: UsedIds): string {
  let id = wanted
  let number = nextNumbers.get(wanted) ?? 2
  for (; all.has(id); number += 1) id = `${wanted}-${number}`
  nextNumbers.set(wanted, number)
  all.add(id)
  return id
}
