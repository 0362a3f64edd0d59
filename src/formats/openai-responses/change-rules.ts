import type { ChangeRule } from '../change-rule.ts'
import { isRecord } from '../json.ts'
import { isCompacted, wireType } from './exchanges.ts'
import { isOutput, reasoningRuns } from './outputs.ts'

export const OPENAI_RESPONSES_CHANGE_RULES: readonly ChangeRule[] = [
  {
    id: 'reasoning-parted',
    source:
      'OpenAI guide Reasoning models: reasoning goes back with the items that came with it; enforced with a 400 (vercel/ai issue 11036)',
    run: ({ before, survivor, pointer }, report) => {
      const isKept = (index: number): boolean => (survivor(index) ?? undefined) !== undefined
      for (const { first, end } of reasoningRuns(before)) {
        if (!isOutput(before[end])) continue
        const kept = isKept(end)
        for (let index = first; index < end; index += 1) {
          if (isKept(index) !== kept) report(pointer(index), 'was parted from the item after it')
        }
      }
    },
  },
  {
    id: 'compaction-lost',
    source: 'OpenAI guide Compaction: the item carries all that was said before it',
    run: ({ before, survivor, pointer }, report) => {
      for (const [index, item] of before.entries()) {
        if (!isRecord(item) || !isCompacted(wireType(item))) continue
        if (survivor(index) !== item) report(pointer(index), 'is gone or changed')
      }
    },
  },
]
