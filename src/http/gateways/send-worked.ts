import type { FastifyReply } from 'fastify'
import type { GatewayContract } from '../../contract/gateways/names.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import type { Worked } from '../../workers/work.ts'
import { JSON_MEDIA_TYPE } from '../answer-work.ts'
import { type GatewayNote, noteOutcome } from './note-outcome.ts'

/** Answers with what a contract's work has made, and says in headers and metrics what that is. */
export function sendWorked(
  reply: FastifyReply,
  metrics: Metrics,
  contract: GatewayContract,
  { answer, told }: Worked<GatewayNote>,
): FastifyReply {
  noteOutcome(reply, metrics, contract, told)
  return reply.type(JSON_MEDIA_TYPE).send(answer)
}
