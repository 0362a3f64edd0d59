import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import type { ChangeRule, ConversationChange } from '../change-rule.ts'
import { isArray, isRecord } from '../json.ts'

const PRUNING =
  'Providers behind the SDK want an item with all of its reasoning, as it came (vercel/ai issues 11036, 13430, 21102)'

/** What pruning part by part does to reasoning, which one side alone cannot show. */
export const AI_SDK_CHANGE_RULES: readonly ChangeRule[] = [
  {
    id: 'sealed-changed',
    source: PRUNING,
    run: (change, report) => {
      for (const { index, before, after } of rewrittenReasoning(change)) {
        if (!isRemainder(after, before)) report(change.pointer(index), 'has reasoning that changed')
      }
    },
  },
  {
    id: 'reasoning-parted',
    source: PRUNING,
    run: (change, report) => {
      for (const { index, before, after } of rewrittenReasoning(change)) {
        if (after.length >= before.length) continue
        report(change.pointer(index), 'has lost some of its reasoning')
      }
    },
  },
]

interface Reasoning {
  readonly index: number
  readonly before: readonly string[]
  readonly after: readonly string[]
}

/** Of the messages that were rewritten; depth is bounded by the reader, so JSON texts are safe. */
function rewrittenReasoning({ before, survivor }: ConversationChange): Reasoning[] {
  return before.flatMap((message, index) => {
    const after = survivor(index)
    if (after === message || !isRecord(message) || !isRecord(after)) return []
    return [{ index, before: reasoningOf(message), after: reasoningOf(after) }]
  })
}

function reasoningOf({ content }: JsonObject): readonly string[] {
  if (!isArray(content)) return []
  return content.filter(isReasoning).map((part) => JSON.stringify(part))
}

function isReasoning(part: JsonValue): boolean {
  return isRecord(part) && (part.type === 'reasoning' || part.type === 'reasoning-file')
}

/** Whether nothing but leaving some out makes the one of the other. */
function isRemainder(after: readonly string[], before: readonly string[]): boolean {
  let next = 0
  for (const part of before) if (after[next] === part) next += 1
  return next === after.length
}
