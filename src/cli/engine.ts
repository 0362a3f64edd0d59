/** The library, as the commands use it: the report and the conversation apart. */
import type { BudgetResult } from '../conversation/budget-conversation.ts'
import type { StageObserver } from '../engine/ports.ts'
import type { JsonValue } from '../engine/transcript.ts'
import { LIST_MEMBERS, type ListMember } from '../formats/conversation-list.ts'
import { check } from '../library/check.ts'
import type { BudgetInput, CheckInput, CompactInput } from '../library/conversation-types.ts'
import { createPrecis } from '../library/create-precis.ts'
import type { CheckAnswer } from './report/check-report.ts'
import type { CompactAnswer } from './report/compact-answer.ts'

export interface Engine {
  readonly compact: (request: CompactInput, run: EngineRun) => Promise<CompactedConversation>
  readonly check: (request: CheckInput) => CheckAnswer
  readonly budget: (request: BudgetInput, run: Pick<EngineRun, 'signal'>) => Promise<BudgetResult>
}

export interface EngineRun {
  readonly signal: AbortSignal
  readonly observer: StageObserver
}

export interface CompactedConversation {
  readonly answer: CompactAnswer
  /** Member that holds the conversation. */
  readonly list: ListMember
  readonly conversation: JsonValue
}

/** Whoever runs this has the whole machine: its memory is the limit. */
const MAX_MESSAGES = 1_000_000_000

/** Throws PrecisError for settings and conversations that break a rule. */
export function createEngine(): Engine {
  const precis = createPrecis({ maxMessages: MAX_MESSAGES })
  return {
    compact: async (request, run) => {
      const compacted = await precis.compact(request, run)
      const list = LIST_MEMBERS.find((name) => Object.hasOwn(request, name)) ?? 'messages'
      // The conversation is encoded apart from the report, with the bytes that it came with.
      const { [list]: conversation = [], ...answer } = compacted as CompactAnswer &
        Partial<Record<ListMember, JsonValue>>
      return { answer, list, conversation }
    },
    check,
    budget: (request, { signal }) => precis.budget(request, { modelSignal: signal }),
  }
}
