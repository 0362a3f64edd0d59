import type { JsonValue } from '../../engine/transcript.ts'
import type { ChangeRule } from '../change-rule.ts'
import { isArray, isRecord } from '../json.ts'
import { isCompaction } from './blocks.ts'

export const ANTHROPIC_MESSAGES_CHANGE_RULES: readonly ChangeRule[] = [
  {
    id: 'compaction-lost',
    source: 'Anthropic, Compaction: the block goes back as it came, and stands for all before it',
    run: ({ before, survivor, pointer: at }, report) => {
      for (const [index, item] of before.entries()) {
        const compactions = blocksOf(item).filter(isCompactionBlock)
        const after = survivor(index)
        if (compactions.length === 0 || after === item) continue
        const kept = new Set(after === undefined ? [] : blocksOf(after))
        if (!compactions.every((block) => kept.has(block))) {
          report(at(index), 'has lost or changed its compaction')
        }
      }
    },
  },
]

function blocksOf(message: JsonValue): readonly JsonValue[] {
  return isRecord(message) && isArray(message.content) ? message.content : []
}

/** One that failed stands for nothing. */
function isCompactionBlock(block: JsonValue): boolean {
  return isRecord(block) && isCompaction(block)
}
