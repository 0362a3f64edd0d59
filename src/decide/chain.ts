import type {
  Answer,
  DecideLink,
  DecidePort,
  DecideRequest,
  DecideResult,
  DecideTraits,
  DecisionSite,
} from '../engine/ports.ts'
import { linkDeadline } from './link-deadline.ts'
import { mergeTraits } from './merge-traits.ts'

/**
 * Several decide models as one: a site is asked of the first that answers it, and, where that one
 * fails, of the next, within the deadline of the call. Only questions that are still open are passed
 * on: an answer that came is never replaced. A model that leaves single questions unanswered has not
 * failed; what it does not answer stays unanswered. Never throws.
 *
 * @param links at least one, the primary first
 * @param now milliseconds on the clock of `DecideRequest.deadlineAt`
 */
export function createDecideChain(
  links: readonly [DecidePort, ...DecidePort[]],
  now: () => number = () => performance.now(),
): DecidePort {
  const traits = chainTraits(links)
  return {
    traits,
    decide: async (request) => {
      const started = now()
      const able = links.filter((link) => link.traits.sites.has(request.site))
      const asked: Asked[] = []
      const answers = new Map<string, Answer>()
      for (const [place, link] of able.entries()) {
        const rest = able.slice(place + 1)
        if (place > 0 && !hasTime(request, now())) break
        const open = request.questions.filter(({ id }) => !answers.has(id))
        const result = await askLink(link, open, rest, request, now)
        const before = answers.size
        for (const { id } of open) {
          const answer = result.answers.get(id)
          if (answer !== undefined) answers.set(id, answer)
        }
        const answered = answers.size - before
        const outcome = toOutcome(result, open.length, answered)
        asked.push({ link, result, answered, outcome })
        if (outcome === 'answered' || answers.size === request.questions.length) break
      }
      return toResult(asked, answers, { request, traits, latencyMs: now() - started })
    },
  }
}

interface Asked {
  readonly link: DecidePort
  readonly result: DecideResult
  readonly answered: number
  readonly outcome: DecideLink['result']
}

function chainTraits(links: readonly [DecidePort, ...DecidePort[]]): DecideTraits {
  const [primary] = links
  const judge = links.find(({ traits }) => traits.sites.has('relevance')) ?? primary
  return {
    ...judge.traits,
    sites: new Set(links.flatMap(({ traits }): DecisionSite[] => [...traits.sites])),
  }
}

/** Whether another model may still be asked: the caller is there, and time is left. */
function hasTime({ signal, deadlineAt }: DecideRequest, now: number): boolean {
  return !signal.aborted && (deadlineAt === undefined || deadlineAt > now)
}

async function askLink(
  link: DecidePort,
  questions: DecideRequest['questions'],
  rest: readonly DecidePort[],
  request: DecideRequest,
  now: () => number,
): Promise<DecideResult> {
  const started = now()
  const deadlineAt = linkDeadline(request.deadlineAt, started, rest)
  try {
    return await link.decide({
      ...request,
      questions,
      ...(deadlineAt !== undefined && { deadlineAt }),
    })
  } catch {
    // A bug of one model must not take the next one's turn away.
    const { wire, model } = link.traits
    const failed = { answers: new Map(), requests: 0, notAsked: 0, failure: 'error' } as const
    return { ...failed, wire, model, latencyMs: now() - started }
  }
}

function toOutcome(result: DecideResult, questions: number, answered: number): Asked['outcome'] {
  if (result.failure !== undefined) return result.failure
  if (answered === 0 && result.abstained === true) return 'abstained'
  return answered === 0 && questions > result.notAsked ? 'unanswered' : 'answered'
}

function toResult(
  asked: readonly Asked[],
  answers: ReadonlyMap<string, Answer>,
  call: {
    readonly request: DecideRequest
    readonly traits: DecideTraits
    readonly latencyMs: number
  },
): DecideResult {
  const { request, traits, latencyMs } = call
  const answering = asked.filter(({ answered }) => answered > 0)
  const main = answering.reduce<Asked | undefined>(
    (most, one) => (most === undefined || one.answered > most.answered ? one : most),
    asked[0],
  )
  const results = asked.map(({ result }) => result)
  const voted = sum(results.map((result) => result.voted ?? 0))
  const failure = failureOf(asked)
  const hasAbstained = failure === undefined && asked.at(-1)?.outcome === 'abstained'
  const merged = mergeTraits(answering.map(({ link }) => link.traits))
  return {
    answers: inOrder(request, answers),
    wire: main?.result.wire ?? traits.wire,
    model: main?.result.model ?? traits.model,
    latencyMs,
    requests: sum(results.map(({ requests }) => requests)),
    // Each model was asked what the ones before it had left open.
    notAsked: results.length === 0 ? 0 : Math.min(...results.map(({ notAsked }) => notAsked)),
    links: asked.map(({ link, outcome, answered }) => ({
      wire: link.traits.wire,
      result: outcome,
      answered,
    })),
    ...(voted > 0 && { voted }),
    ...(hasAbstained && { abstained: true }),
    ...(failure !== undefined && { failure }),
    ...(merged !== undefined && { traits: merged }),
  }
}

/** None where the last model that was asked did not fail; else the first, which is the cause. */
function failureOf(asked: readonly Asked[]): DecideResult['failure'] {
  if (asked.at(-1)?.outcome === 'answered') return undefined
  return asked.find(({ result }) => result.failure !== undefined)?.result.failure
}

function inOrder(request: DecideRequest, answers: ReadonlyMap<string, Answer>) {
  const ordered = new Map<string, Answer>()
  for (const { id } of request.questions) {
    const answer = answers.get(id)
    if (answer !== undefined) ordered.set(id, answer)
  }
  return ordered
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
