import type { FastifyReply, FastifyRequest } from 'fastify'
import fastifyPlugin from 'fastify-plugin'
import type { ErrorCode } from '../../engine/errors.ts'
import { PROBLEM_MEDIA_TYPE, type Problem, retryAfterOf, toProblem } from '../problem.ts'
import { REQUEST_ID_HEADER } from '../request-id.ts'

declare module 'fastify' {
  interface FastifyReply {
    /** Code of the problem that is the answer, if it is one. */
    problemCode: ErrorCode | undefined
  }
}

/** Answers every failure with a problem document. */
export const problemDetails = fastifyPlugin(
  async (app) => {
    app.decorateReply('problemCode', undefined)
    app.setErrorHandler((error, request, reply) => {
      sendProblem(error, request, reply)
    })
  },
  { name: 'problem-details', fastify: '5.x' },
)

/** Sends the document as text: a response schema would cost its extension members. */
export function sendProblem(
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  toBody: (problem: Problem) => object = (problem) => problem,
): void {
  const problem = noteProblem(error, request, reply)
  void reply
    .code(problem.status)
    .type(PROBLEM_MEDIA_TYPE)
    .send(JSON.stringify(toBody(problem)))
}

/** What the answer to a failure carries beside its body, in the log and the metrics too. */
export function noteProblem(error: unknown, request: FastifyRequest, reply: FastifyReply): Problem {
  const problem = toProblem(error, request.id)
  reply.problemCode = problem.code
  void reply.header(REQUEST_ID_HEADER, request.id)
  if (problem.code === 'internal') request.log.error({ err: error }, 'request failed')
  const retryAfter = retryAfterOf(error, problem)
  if (retryAfter !== undefined) void reply.header('retry-after', retryAfter)
  if (problem.code === 'unauthorized') void reply.header('www-authenticate', 'Bearer')
  return problem
}
