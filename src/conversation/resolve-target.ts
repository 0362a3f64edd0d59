/** The most tokens that a conversation may have: what the caller says, or what the budget gives. */
import type { Budget, Sourced } from '../engine/budget.ts'
import type { Warning } from '../engine/transcript.ts'
import { SAFETY_FACTOR_FOR_ESTIMATES } from '../tokens/token-counter.ts'
import { budgetOf, measurePosted, postedTarget } from './budget-conversation.ts'
import { locateCurrentRequest } from './current-request.ts'
import type { ReadConversation } from './read-conversation.ts'
import type { CompactRequest } from './request.ts'
import type { ConversationServices } from './services.ts'

export interface Target {
  /** Most tokens that the returned conversation may have. */
  readonly targetTokens: Sourced
  /** What the caller asked for, where a safety factor lowered it. */
  readonly requestedTokens: number | null
  readonly safetyFactor: number | null
  /** The arithmetic, where the target was computed. */
  readonly arithmetic: Budget | null
}

export interface ResolvedTarget {
  readonly target: Target
  readonly warnings: readonly Warning[]
}

export function resolveTarget(
  request: CompactRequest,
  conversation: ReadConversation,
  services: Pick<ConversationServices, 'windows'>,
): ResolvedTarget {
  const { transcript, counter } = conversation
  if (request.targetTokens !== undefined) {
    const requested = Math.floor(request.targetTokens)
    // An estimate may be low; what it calls the target must still fit by the provider's count.
    const value = counter.estimated
      ? Math.max(1, Math.floor(requested * SAFETY_FACTOR_FOR_ESTIMATES))
      : requested
    return {
      target: {
        targetTokens: { value, source: 'request' },
        requestedTokens: requested,
        safetyFactor: counter.estimated ? SAFETY_FACTOR_FOR_ESTIMATES : null,
        arithmetic: null,
      },
      warnings: [],
    }
  }
  const current = locateCurrentRequest(transcript, request.currentRequest, counter.countTokens)
  const posted = measurePosted(transcript, current)
  const { budget, warnings } = budgetOf(
    request,
    request.model ?? modelOf(conversation),
    posted,
    counter,
    services,
    undefined,
  )
  return {
    target: {
      targetTokens: { value: postedTarget(budget, posted), source: 'computed' },
      requestedTokens: null,
      safetyFactor: null,
      arithmetic: budget,
    },
    warnings,
  }
}

function modelOf(conversation: ReadConversation): string | undefined {
  const { model } = conversation.payload
  return typeof model === 'string' ? model : undefined
}
