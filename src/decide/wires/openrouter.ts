import type { StatusFailure } from '../../outbound/failure.ts'
import { classifyErrorEnvelope } from './error-envelope.ts'
import { isRecord } from './json.ts'
import { systemOneWire } from './systemone.ts'
import type { Wire } from './wire.ts'

/**
 * `POST https://openrouter.ai/api/alpha/decisions`: System One's body in front of decision models of
 * many makers, so the limits are the least that is listed: 200 questions (GPT-6 Luna), and the tokens
 * of TypeSafe's own. `probabilities` and `confidence` are optional there: a choice or a score that
 * comes without both is unanswered.
 */
export const openRouterWire: Wire = {
  ...systemOneWire,
  id: 'openrouter',
  limits: { ...systemOneWire.limits, maxQuestionsPerRequest: 200 },
  classifyError: classifyOpenRouterError,
}

/**
 * `{"error":{"code","message","metadata"}}`, the code being the status. What the model's own provider
 * said is in `metadata.raw`, as JSON or as its text; only names are read from it.
 */
export function classifyOpenRouterError(status: number, json: unknown): StatusFailure {
  const error = isRecord(json) ? json.error : undefined
  const metadata = isRecord(error) ? error.metadata : undefined
  const raw = isRecord(metadata) ? readRaw(metadata.raw) : undefined
  // Without a name of its own, the provider's body says what the status says.
  return classifyErrorEnvelope(status, raw ?? json)
}

function readRaw(raw: unknown): unknown {
  if (typeof raw !== 'string') return raw
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}
