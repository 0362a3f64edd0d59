import type { FastifyReply } from 'fastify'
import type { GatewayContract, GatewayOutcome } from '../../contract/gateways/names.ts'
import type { CompactResult } from '../../conversation/compact-conversation.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

export interface GatewayNote {
  readonly outcome: GatewayOutcome
  /** A fixed word: why nothing was done. */
  readonly reason?: string
  readonly tokensBefore?: number
  readonly tokensAfter?: number
}

/** Says in headers and metrics what became of a gateway's request; once for each answer. */
export function noteOutcome(
  reply: FastifyReply,
  metrics: Metrics,
  contract: GatewayContract,
  { outcome, reason, tokensBefore, tokensAfter }: GatewayNote,
): void {
  metrics.gatewayRequests.inc({ contract, outcome })
  void reply.header('x-precis-outcome', outcome)
  if (reason !== undefined) void reply.header('x-precis-reason', reason)
  if (tokensBefore !== undefined) void reply.header('x-precis-tokens-before', tokensBefore)
  if (tokensAfter !== undefined) void reply.header('x-precis-tokens-after', tokensAfter)
}

export function noteOf({ report }: CompactResult): GatewayNote {
  const { outcome, tokensBefore, tokensAfter } = report
  return { outcome, tokensBefore, tokensAfter }
}
