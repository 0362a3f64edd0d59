import type { CompactRequest } from '../../conversation/request.ts'
import type { Asked } from '../../proxy/asked.ts'

/** What a gateway asks for in headers, as a compaction takes it. Nobody reads its list of actions. */
export function askedSettings({ targetTokens, profile }: Asked): CompactRequest {
  return {
    explain: 'none',
    ...(targetTokens !== undefined && { targetTokens }),
    ...(profile !== undefined && { profile }),
  }
}
