import type { FastifyReply, FastifyRequest } from 'fastify'
import type { GatewayContract } from '../../contract/gateways/names.ts'
import type { Metrics } from '../../telemetry/metrics.ts'
import { JSON_MEDIA_TYPE } from '../answer-work.ts'
import { noteProblem } from '../plugins/problem-details.ts'
import type { Problem } from '../problem.ts'
import { noteOutcome } from './note-outcome.ts'

export interface ContractAnswer {
  readonly status: number
  readonly body: unknown
}

/**
 * Answers every failure of a contract's routes, whatever plugin has found it, in the shape that the
 * contract has for it. An answer of 200 means that the caller goes on with what it has.
 */
export function contractErrors(
  contract: GatewayContract,
  metrics: Metrics,
  shape: (problem: Problem) => ContractAnswer,
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const problem = noteProblem(error, request, reply)
    const { status, body } = shape(problem)
    const outcome = status === 200 ? 'passed' : 'refused'
    noteOutcome(reply, metrics, contract, { outcome, reason: problem.code })
    void reply.code(status).type(JSON_MEDIA_TYPE).send(JSON.stringify(body))
  }
}

/** What is wrong, with the JSON Pointer of each place, on one line. Never holds text of a message. */
export function problemText({ detail, errors }: Problem): string {
  const places = errors
    .filter(({ pointer }) => pointer !== '')
    .map(({ pointer, detail: fault }) => `${pointer} ${fault}`)
  return places.length === 0 ? detail : `${detail} ${places.join('; ')}`
}

/**
 * Whether the caller is at fault, by what it sent or who it is. All else is ours, and where a contract
 * has an answer for "go on as you are", that is better than an error which may end its client's request.
 */
export function isCallersFault({ status }: Problem): boolean {
  return status < 500 && status !== 413
}
