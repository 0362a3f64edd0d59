import { type Insertion, isEmptyPlan, type Plan } from '../engine/edit.ts'
import { PrecisError } from '../engine/errors.ts'
import type { JsonObject, JsonValue } from '../engine/transcript.ts'
import { itemsOf, type ListMember } from './conversation-list.ts'
import { isRecord, withMember } from './json.ts'

export interface MessageWriter {
  readonly list: ListMember
  /** A copy of the message in which the given parts have other texts. */
  readonly rewrite: (message: JsonObject, texts: ReadonlyMap<number, string>) => JsonObject
  readonly toMessage: (insertion: Insertion) => JsonObject
}

/**
 * Applies a plan copy-on-write. Untouched messages are the very same objects; an empty plan returns
 * the payload itself. A drop wins over a replacement in the same message.
 */
export function applyPlan(payload: JsonObject, plan: Plan, writer: MessageWriter): JsonObject {
  if (isEmptyPlan(plan)) return payload
  const insertions = [...plan.insertions].sort((a, b) => a.before - b.before)
  const written: JsonValue[] = []
  let next = 0
  const insertUpTo = (position: number): void => {
    let insertion = insertions[next]
    while (insertion !== undefined && insertion.before <= position) {
      written.push(writer.toMessage(insertion))
      next += 1
      insertion = insertions[next]
    }
  }
  for (const [index, message] of itemsOf(payload, writer.list).entries()) {
    insertUpTo(index)
    if (plan.dropped.has(index)) continue
    const texts = plan.replaced.get(index)
    const isTouched = texts !== undefined && texts.size > 0 && isRecord(message)
    written.push(isTouched ? writer.rewrite(message, texts) : message)
  }
  insertUpTo(Number.POSITIVE_INFINITY)
  return withMember(payload, writer.list, written)
}

/** An edit of a part that may not be rewritten, or that does not exist, is a bug of its author. */
export function refuseRewrite(part: number): never {
  throw new PrecisError('internal', `part ${part} of the message cannot be rewritten`)
}
