import type { FastifyPluginAsync } from 'fastify'
import {
  type LitellmGuardrailBody,
  LitellmGuardrailBodySchema,
  LitellmGuardrailErrorSchema,
  LitellmGuardrailResponseSchema,
} from '../../contract/gateways/litellm-guardrail.ts'
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
import type { GatewayOptions } from './gateway-options.ts'
import { sendWorked } from './send-worked.ts'

const CONTRACT = 'litellm'

/** LiteLLM's Generic Guardrail API: texts in, as many texts out. */
export const litellmGuardrailContract: FastifyPluginAsync<GatewayOptions> = async (
  app,
  options,
) => {
  const { metrics, deadlineMs } = options
  const answer = createAnswerer(options)
  app.setErrorHandler(contractErrors(CONTRACT, metrics, toError))

  app.post<{ Body: LitellmGuardrailBody }>(
    '/beta/litellm_basic_guardrail_api',
    {
      config: { keyHeader: 'x-api-key', offloaded: true },
      schema: {
        operationId: 'litellmGuardrail',
        summary: "Shorten texts of a conversation, by LiteLLM's Generic Guardrail API",
        description:
          'Rewrites old tool output, and drops nothing: this contract writes texts back by their places.',
        tags: ['gateways'],
        body: LitellmGuardrailBodySchema,
        response: {
          200: { description: 'What to write back.', ...LitellmGuardrailResponseSchema },
          '4xx': { description: 'The request is at fault.', ...LitellmGuardrailErrorSchema },
        },
      },
      serializerCompiler: () => JSON.stringify,
    },
    async (request, reply) => {
      const asked = readAsked(request.headers)
      const limitMs = timeLeft(request, reply, deadlineMs)
      const worked = await answer('litellm', request, { asked, limitMs }, { limitMs })
      return sendWorked(reply, metrics, CONTRACT, worked)
    },
  )
}

/** An error would end the client's request, or not, as the guardrail is set: ours is no reason for it. */
function toError(problem: Problem): ContractAnswer {
  return isCallersFault(problem)
    ? { status: problem.status, body: { detail: problemText(problem) } }
    : { status: 200, body: { action: 'NONE' } }
}
