import type { FastifyPluginAsync } from 'fastify'
import {
  type AgentgatewayBody,
  AgentgatewayBodySchema,
  AgentgatewayErrorSchema,
  AgentgatewayResponseSchema,
} from '../../contract/gateways/agentgateway.ts'
import { readAsked } from '../../proxy/asked.ts'
import { createAnswerer } from '../answer-work.ts'
import type { Problem } from '../problem.ts'
import { timeLeft } from './asked-time.ts'
import {
  type ContractAnswer,
  contractErrors,
  isCallersFault,
  problemText,
} from './contract-errors.ts'
import { GATEWAY_KEY_HEADER, type GatewayOptions } from './gateway-options.ts'
import { sendWorked } from './send-worked.ts'

const CONTRACT = 'agentgateway'

/** agentgateway waits 10 s for a webhook. */
const LIMIT_MS = 8_000

/** The path that agentgateway posts to, and the same below a name, for services that share a host. */
const PATHS = ['/request', '/agentgateway/request']

/**
 * agentgateway's prompt guard webhook. In its guardrail form messages come flattened to a role and a
 * text, and a mask rebuilds the whole list from those: whatever has tools or more than text in it would
 * be broken by one, so that it passes. Raw messages are whole, and so is what replaces them.
 */
export const agentgatewayContract: FastifyPluginAsync<GatewayOptions> = async (app, options) => {
  const { metrics, deadlineMs } = options
  const answer = createAnswerer(options)
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  for (const path of PATHS) {
    app.post<{ Body: AgentgatewayBody }>(
      path,
      {
        config: { keyHeader: GATEWAY_KEY_HEADER, offloaded: true },
        schema: {
          operationId: path === '/request' ? 'agentgatewayRequest' : 'agentgatewayRequestBelow',
          summary: "Make a conversation smaller, by agentgateway's webhook contract",
          description:
            'Passes whatever has tool fields or more than text, unless the messages come raw.',
          tags: ['gateways'],
          body: AgentgatewayBodySchema,
          response: {
            200: { description: 'Pass, or the messages to send.', ...AgentgatewayResponseSchema },
            '4xx': { description: 'The request is at fault.', ...AgentgatewayErrorSchema },
          },
        },
        serializerCompiler: () => JSON.stringify,
      },
      async (request, reply) => {
        const asked = readAsked(request.headers)
        const limitMs = timeLeft(request, reply, deadlineMs, LIMIT_MS)
        const worked = await answer('agentgateway', request, { asked, limitMs }, { limitMs })
        return sendWorked(reply, metrics, CONTRACT, worked)
      },
    )
  }
}

/** The gateway may fail closed: a fault of ours is a reason to pass. Raw, an answer without messages passes. */
function toError(problem: Problem): ContractAnswer {
  if (isCallersFault(problem)) {
    return { status: problem.status, body: { error: problemText(problem) } }
  }
  return { status: 200, body: { action: { reason: `passed: ${problem.code}` } } }
}
