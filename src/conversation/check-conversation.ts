/** The checker alone: what of the provider's wire rules a conversation breaks. */
import { PrecisError } from '../engine/errors.ts'
import type { JsonObject, Warning } from '../engine/transcript.ts'
import type { FormatAdapter, FormatId, Violation } from '../formats/adapter.ts'
import { identifyConversation } from './identify-conversation.ts'
import type { ConversationMembers } from './request.ts'
import type { ConversationServices } from './services.ts'
import { type ListedViolations, listViolations } from './violations.ts'

export interface CheckRequest extends ConversationMembers {
  readonly format?: FormatId
}

export interface CheckResult extends ListedViolations {
  readonly format: FormatId
  /** No rule is broken, and it can be read. */
  readonly valid: boolean
  readonly warnings: readonly Warning[]
}

/**
 * Throws PrecisError for a conversation that is missing, empty, too long, or of no one format. What
 * reading would refuse is listed with the rest: whoever asks wants all of it in one go.
 */
export function checkConversation(
  request: CheckRequest,
  services: Pick<ConversationServices, 'maxMessages'>,
): CheckResult {
  const { payload, adapter, warnings } = identifyConversation(request, services)
  const read = tryToRead(payload, adapter)
  const broken = read.isTooDeep ? [] : adapter.check(payload)
  const violations = [...broken, ...read.faults]
  return {
    format: adapter.id,
    valid: violations.length === 0,
    ...listViolations(violations, adapter),
    warnings: [...warnings, ...read.warnings],
  }
}

interface Readability {
  readonly faults: readonly Violation[]
  readonly isTooDeep: boolean
  readonly warnings: readonly Warning[]
}

/** What is counted does not matter here, so that nothing is. */
const COUNTS_NOTHING = { countTokens: () => 0, countImage: () => 0, countDocument: () => 0 }

function tryToRead(payload: JsonObject, adapter: FormatAdapter): Readability {
  try {
    const { warnings } = adapter.read(payload, COUNTS_NOTHING)
    return { faults: [], isTooDeep: false, warnings }
  } catch (error) {
    if (!(error instanceof PrecisError) || error.code !== 'invalid-conversation') throw error
    const { faults = [] } = error
    return { faults, isTooDeep: faults.some(({ rule }) => rule === 'max-depth'), warnings: [] }
  }
}
