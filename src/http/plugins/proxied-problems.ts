import fastifyPlugin from 'fastify-plugin'
import type { Problem } from '../problem.ts'
import { sendProblem } from './problem-details.ts'

/**
 * Failures of the service's own on the routes of the scope that registers it: the problem document,
 * with the member `error` besides, in which clients of OpenAI, Anthropic and Google look for a
 * message. Its `type` says who speaks: no provider has such a one.
 */
export const proxiedProblems = fastifyPlugin(
  async (app) => {
    app.setErrorHandler((error, request, reply) => {
      sendProblem(error, request, reply, withProviderError)
    })
  },
  { name: 'proxied-problems', fastify: '5.x' },
)

function withProviderError(problem: Problem): object {
  const { code, detail } = problem
  return { ...problem, error: { type: `precis:${code}`, code, message: detail } }
}
