import type { DecideFailure, DecideRequest } from '../engine/ports.ts'
import type { CountTokens } from '../engine/transcript.ts'
import type { OutboundFailure } from '../outbound/failure.ts'
import type { OutboundClient } from '../outbound/outbound.ts'
import { fitRequests } from './fit.ts'
import { halveLimits } from './limits.ts'
import { combine, failed, type Outcome } from './outcome.ts'
import type { PackedRequest, Wire, WireLimits } from './wires/wire.ts'

export interface AskContext {
  readonly client: OutboundClient
  readonly wire: Wire
  readonly model: string
  readonly countTokens: CountTokens
  readonly limits: WireLimits
  readonly request: DecideRequest
  readonly deadlineAt: number
}

/** After these, sending the rest of a call would only take its time. */
const ENDS_THE_CALL: ReadonlySet<DecideFailure> = new Set([
  'authentication',
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
  'breaker-open',
  'busy',
  'deadline',
  'aborted',
  'error',
])

/** Asks the packed requests of one call, `parallel` at a time. Never rejects. */
export async function askAll(
  requests: readonly PackedRequest[],
  parallel: number,
  context: AskContext,
  askOne: (request: PackedRequest, context: AskContext) => Promise<Outcome> = ask,
): Promise<Outcome> {
  const outcomes: (Outcome | undefined)[] = requests.map(() => undefined)
  const remaining = requests.entries()
  let ended = false
  const work = async () => {
    for (const [place, request] of remaining) {
      if (ended) return
      const outcome = await askOne(request, context)
      outcomes[place] = outcome
      if (outcome.failure !== undefined && ENDS_THE_CALL.has(outcome.failure)) ended = true
    }
  }
  await Promise.all(Array.from({ length: Math.min(parallel, requests.length) }, work))
  return combine(outcomes.filter((outcome) => outcome !== undefined))
}

/** Sends one request; one that is too large for the server is made half as large, once. */
async function ask(packed: PackedRequest, context: AskContext): Promise<Outcome> {
  const first = await send(packed, context)
  if (first.failure !== 'max-tokens-exceeded') return first
  const { site, state } = context.request
  const smaller = fitRequests(
    { site, state, questions: packed.questions },
    {
      limits: halveLimits(packed, context),
      maxQuestions: packed.questions.length,
      rendering: context.wire.rendering,
      countTokens: context.countTokens,
    },
  )
  if (smaller.requests.length === 0) return { ...first, notAsked: smaller.notAsked }
  const second = await askAll(smaller.requests, 1, context, send)
  return {
    ...second,
    requests: first.requests + second.requests,
    notAsked: second.notAsked + smaller.notAsked,
  }
}

async function send(packed: PackedRequest, context: AskContext): Promise<Outcome> {
  const { wire, client, model, request, deadlineAt } = context
  let requests = 0
  try {
    const { body, headers } = wire.encode(packed, model)
    const result = await client.send(body, {
      signal: request.signal,
      deadlineAt,
      ...(headers === undefined ? {} : { headers }),
    })
    requests = result.attempts
    if (!result.ok) return failed(toDecideFailure(result.failure), requests)
    const decoded = wire.decode(result.json, packed.questions)
    if (decoded === undefined) return failed('malformed-answer', requests)
    return { ...decoded, requests, notAsked: 0 }
  } catch {
    // A bug in a wire. Its message may quote the state, and the other requests have their answers.
    return failed('error', requests)
  }
}

function toDecideFailure(failure: OutboundFailure): DecideFailure {
  return failure === 'malformed-response' ? 'malformed-answer' : failure
}
