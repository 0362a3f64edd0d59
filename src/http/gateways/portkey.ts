import type { FastifyPluginAsync } from 'fastify'
import {
  type PortkeyBody,
  PortkeyBodySchema,
  PortkeyResponseSchema,
} from '../../contract/gateways/portkey.ts'
import { readAsked } from '../../proxy/asked.ts'
import { createAnswerer } from '../answer-work.ts'
import type { Problem } from '../problem.ts'
import { timeLeft } from './asked-time.ts'
import { type ContractAnswer, contractErrors, isCallersFault } from './contract-errors.ts'
import { GATEWAY_KEY_HEADER, type GatewayOptions } from './gateway-options.ts'
import { sendWorked } from './send-worked.ts'

const CONTRACT = 'portkey'

/** Portkey gives a webhook 3,000 ms, unless the guardrail sets another `timeout`. */
const LIMIT_MS = 2_500

/** Portkey's webhook guardrail before a request: the whole body in, the body to send out. */
export const portkeyContract: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { metrics, deadlineMs } = options
  const answer = createAnswerer(options)
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  app.post<{ Body: PortkeyBody }>(
    '/webhooks/portkey',
    {
      config: { keyHeader: GATEWAY_KEY_HEADER, offloaded: true },
      schema: {
        operationId: 'portkeyWebhook',
        summary: "Make the conversation of a request smaller, by Portkey's webhook contract",
        description:
          'Answers within 2,500 ms, or what `timeout_ms` in the query or `x-precis-timeout-ms` says, with the verdict true, also where nothing could be done.',
        tags: ['gateways'],
        body: PortkeyBodySchema,
        response: {
          200: {
            description: 'The verdict, and the body to send if it changed.',
            ...PortkeyResponseSchema,
          },
          '4xx': { description: 'The request is at fault.', ...PortkeyResponseSchema },
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const asked = readAsked(request.headers)
      const limitMs = timeLeft(request, reply, deadlineMs, LIMIT_MS)
      const worked = await answer('portkey', request, { asked, limitMs }, { limitMs })
      return sendWorked(reply, metrics, CONTRACT, worked)
    },
  )
}

/** A verdict of false could block a request for a fault of ours; so may a status that is no 200. */
function toError(problem: Problem): ContractAnswer {
  return {
    status: isCallersFault(problem) ? problem.status : 200,
    body: { verdict: true, data: { outcome: 'passed', reason: problem.code } },
  }
}
