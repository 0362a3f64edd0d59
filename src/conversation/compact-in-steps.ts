/** Compaction for callers that post the whole history on every turn and never see it compacted. */
import { type CompactResult, compactConversation } from './compact-conversation.ts'
import type { RunPorts } from './edit-conversation.ts'
import type { CompactRequest } from './request.ts'
import type { ConversationServices } from './services.ts'

/** Down to the configured low-water mark, unless the request has one of its own. */
export function compactInSteps(
  request: CompactRequest,
  services: ConversationServices,
  run: RunPorts,
): Promise<CompactResult> {
  return compactConversation({ lowWater: services.lowWater, ...request }, services, run)
}
