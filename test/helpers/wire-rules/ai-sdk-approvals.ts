import type { AiSdkMessage } from './ai-sdk-parts.ts'
import type { Fault } from './types.ts'

/**
 * Approvals of tool calls (AI SDK 6 and later), looked up by `collectToolApprovals` before the
 * model is asked again.
 *
 * - `approval-without-call`: ToolCallNotFoundForApprovalError. The call stands beside the request
 *   or before it.
 * - `approval-without-request`: InvalidToolApprovalError. The request stands before the response.
 */
export function findAiSdkApprovalFaults(messages: readonly AiSdkMessage[]): Fault[] {
  const called = new Set<unknown>()
  const asked = new Set<unknown>()
  return messages.flatMap(({ role, parts, pointer }) => {
    if (role === 'assistant') {
      for (const part of parts) if (part.type === 'tool-call') called.add(part.toolCallId)
    }
    return parts.flatMap((part, position) => {
      const at = `${pointer}/content/${position}`
      if (part.type === 'tool-approval-request') {
        asked.add(part.approvalId)
        const isKnown = called.has(part.toolCallId)
        return isKnown ? [] : [{ rule: 'approval-without-call', pointer: at }]
      }
      const isStray = part.type === 'tool-approval-response' && !asked.has(part.approvalId)
      return isStray ? [{ rule: 'approval-without-request', pointer: at }] : []
    })
  })
}
