import type { DecideFailure, DecideRequest } from '../engine/ports.ts'
import type { CountTokens } from '../engine/transcript.ts'
import type { OutboundFailure } from '../outbound/failure.ts'
import type { OutboundClient } from '../outbound/outbound.ts'
import { fitRequests } from './fit.ts'
import type { LearnedLimits } from './learned-limits.ts'
import { measureRequest, type RequestSize, sizeLimits } from './limits.ts'
import { combine, failed, type Outcome } from './outcome.ts'
import type { PackedRequest, Wire, WireLimits } from './wires/wire.ts'

export interface AskContext {
  readonly client: OutboundClient
  readonly wire: Wire
  readonly model: string
  readonly countTokens: CountTokens
  readonly limits: WireLimits
  readonly learned: LearnedLimits
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

/** After these, another of many small requests may still be answered. The breaker counts them. */
const MAY_PASS: ReadonlySet<DecideFailure> = new Set([
  'rate-limit',
  'overloaded',
  'server',
  'timeout',
  'network',
])

/** After these to the first of many small requests, the others would be paid for in vain. */
const SHOWS_NO_SUCH_SERVER: ReadonlySet<DecideFailure | undefined> = new Set<DecideFailure>([
  'invalid-request',
  'malformed-answer',
])

/** Asks the packed requests of one call, `parallel` at a time. Never rejects. */
export async function askAll(
  requests: readonly PackedRequest[],
  parallel: number,
  context: AskContext,
  askOne: (request: PackedRequest) => Promise<Outcome> = (request) => ask(request, context),
): Promise<Outcome> {
  const outcomes: (Outcome | undefined)[] = requests.map(() => undefined)
  const remaining = requests.entries()
  let ended = false
  const { manyRequests } = context.wire
  const askNext = async (): Promise<boolean> => {
    const next = remaining.next()
    if (ended || next.done === true) return false
    const [place, request] = next.value
    const outcome = await askOne(request)
    outcomes[place] = outcome
    const { failure } = outcome
    if (failure === undefined || !endsTheCall(failure, outcome.requests)) return true
    ended ||= manyRequests === undefined || !MAY_PASS.has(failure)
    return true
  }
  const work = async () => {
    while (await askNext());
  }
  if (manyRequests?.firstAlone === true) {
    await askNext()
    ended ||= SHOWS_NO_SUCH_SERVER.has(outcomes[0]?.failure)
  }
  await Promise.all(Array.from({ length: Math.min(parallel, requests.length) }, work))
  return combine(
    requests.map(({ questions }, place) => outcomes[place] ?? unsent(questions.length)),
  )
}

function endsTheCall(failure: DecideFailure, requests: number): boolean {
  // Sent, and refused at its smallest: so would the others be. What was not sent says nothing.
  if (failure === 'max-tokens-exceeded') return requests > 0
  return ENDS_THE_CALL.has(failure)
}

function unsent(questions: number): Outcome {
  return { answers: new Map(), requests: 0, notAsked: questions }
}

/** Halvings of one request in one call: an eighth of its size is tried last. */
const MAX_SHRINKS = 3

/** Sends one request. One that the server calls too large is made smaller, and so are those after it. */
async function ask(packed: PackedRequest, context: AskContext, shrinks = 0): Promise<Outcome> {
  const { learned } = context
  // Nothing is counted as long as the server takes what it should.
  const size = learned.isLowered() ? sizeOf(packed, context) : undefined
  if (size !== undefined && shrinks === 0 && exceeds(size, sizeLimits(learned.current()))) {
    return askSmaller(packed, context, learned.current(), 1, failed('max-tokens-exceeded'))
  }
  const seen = learned.refusals()
  const outcome = await send(packed, context)
  if (outcome.failure !== 'max-tokens-exceeded') {
    if (size !== undefined && outcome.failure === undefined) learned.accepted(size)
    return outcome
  }
  const limits = learned.refused(size ?? sizeOf(packed, context), seen)
  return shrinks < MAX_SHRINKS ? askSmaller(packed, context, limits, shrinks + 1, outcome) : outcome
}

/** @param refused what it came to so far, and comes to where it cannot be made smaller */
async function askSmaller(
  packed: PackedRequest,
  context: AskContext,
  limits: WireLimits,
  shrinks: number,
  refused: Outcome,
): Promise<Outcome> {
  const { site, state } = context.request
  const smaller = fitRequests(
    { site, state, questions: packed.questions },
    {
      limits: smallerBatch(packed, context, limits) ?? limits,
      maxQuestions: packed.questions.length,
      rendering: context.wire.rendering,
      countTokens: context.countTokens,
    },
  )
  if (smaller.requests.length === 0) return { ...refused, notAsked: smaller.notAsked }
  const outcome = await askAll(smaller.requests, 1, context, (request) =>
    ask(request, context, shrinks),
  )
  return {
    ...outcome,
    requests: refused.requests + outcome.requests,
    notAsked: outcome.notAsked + smaller.notAsked,
  }
}

/** Where questions are prompts of their own, what was too large is the batch, as long as it is one. */
function smallerBatch(
  { questions }: PackedRequest,
  { wire, limits }: AskContext,
  learned: WireLimits,
): WireLimits | undefined {
  if (wire.manyRequests === undefined || questions.length < 2) return undefined
  const half = Math.floor(questions.length / 2)
  return { ...limits, maxQuestionsPerRequest: Math.min(learned.maxQuestionsPerRequest, half) }
}

function sizeOf(packed: PackedRequest, context: AskContext): RequestSize {
  const { wire, limits, countTokens } = context
  return measureRequest(packed, { rendering: wire.rendering, limits, countTokens })
}

function exceeds(size: RequestSize, limit: RequestSize): boolean {
  return (
    size.stateAndLongestQuestion > limit.stateAndLongestQuestion ||
    size.total > limit.total ||
    size.questions > limit.questions
  )
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
