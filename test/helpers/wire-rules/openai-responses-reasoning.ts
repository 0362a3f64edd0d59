import type { Item, ItemKind } from './openai-responses-items.ts'
import type { Fault } from './types.ts'

/**
 * - `reasoning-without-item`: "Item 'rs_...' of type 'reasoning' was provided without its required
 *   following item": what the model wrote or asked for after it has thought. Several reasoning items
 *   in a row share what follows them.
 */
export function findResponsesReasoningFaults(items: readonly Item[]): Fault[] {
  return items.flatMap((item, position) => {
    const next = items[position + 1]
    if (item.kind !== 'reasoning' || next?.kind === 'reasoning') return []
    return next !== undefined && isOfTheModel(next)
      ? []
      : [{ rule: 'reasoning-without-item', pointer: `/input/${item.index}` }]
  })
}

// What stands behind a reference or in a compaction is not known, so it may be what is asked for.
const OF_THE_MODEL: ReadonlySet<ItemKind> = new Set(['call', 'model', 'reference', 'compaction'])

export function isOfTheModel({ kind, value }: Item): boolean {
  return kind === 'message' ? value.role === 'assistant' : OF_THE_MODEL.has(kind)
}
