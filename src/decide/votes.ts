import type { Answer, DecidePort, DecideRequest, DecideResult, Votes } from '../engine/ports.ts'

/**
 * Distance from the bar within which an answer may lie on the wrong side by noise alone: the same
 * request repeated moves P by up to 0.14 to 0.16 on Jev, and the mean of three by half of that.
 */
const MARGIN = 0.15
/** Servers round to two decimals; the difference of such numbers is not one. */
const ROUNDING = 1e-9

/**
 * Asks a noisy model again about what it put near the bar, and lets the mean decide. Each further
 * vote is one call with those questions alone; one that fails, or would not be back in time, is done
 * without. The answers of the first call are the call's: failing votes make no failure.
 *
 * @param now milliseconds on the clock of `DecideRequest.deadlineAt`
 */
export function withVotes(
  port: DecidePort,
  now: () => number = () => performance.now(),
): DecidePort {
  return {
    traits: port.traits,
    decide: async (request) => {
      const { votes } = request
      if (votes === undefined || votes.count <= 1) return port.decide(request)
      const started = now()
      const first = await port.decide(request)
      const tally = openTally(first, request, votes)
      if (tally.size === 0) return first
      const again = { ...request, questions: request.questions.filter(({ id }) => tally.has(id)) }
      const longest = now() - started
      let requests = 0
      for (let vote = 1; vote < votes.count; vote += 1) {
        if (!isWorthAsking(request, now(), longest)) break
        const result = await port.decide(again).catch(() => undefined)
        requests += result?.requests ?? 0
        if (result === undefined || result.answers.size === 0) break
        count(tally, result.answers)
      }
      return toResult(first, tally, { requests, latencyMs: now() - started })
    },
  }
}

/** Probabilities of one question, the first included. */
type Tally = Map<string, number[]>

function openTally(first: DecideResult, { questions }: DecideRequest, { bar }: Votes): Tally {
  const tally: Tally = new Map()
  for (const { id } of questions) {
    const answer = first.answers.get(id)
    if (answer?.kind === 'boolean' && isNear(answer.probability, bar)) {
      tally.set(id, [answer.probability])
    }
  }
  return tally
}

function isNear(probability: number, bar: number): boolean {
  return Math.abs(probability - bar) <= MARGIN + ROUNDING
}

/** A call that would end after the deadline is only waited for. */
function isWorthAsking(
  { signal, deadlineAt }: DecideRequest,
  now: number,
  longestMs: number,
): boolean {
  return !signal.aborted && (deadlineAt === undefined || deadlineAt - now > longestMs)
}

function count(tally: Tally, answers: ReadonlyMap<string, Answer>): void {
  for (const [id, probabilities] of tally) {
    const answer = answers.get(id)
    if (answer?.kind === 'boolean') probabilities.push(answer.probability)
  }
}

function toResult(
  first: DecideResult,
  tally: Tally,
  { requests, latencyMs }: Pick<DecideResult, 'requests' | 'latencyMs'>,
): DecideResult {
  const answers = new Map(first.answers)
  let voted = 0
  for (const [id, probabilities] of tally) {
    if (probabilities.length < 2) continue
    voted += 1
    answers.set(id, { kind: 'boolean', probability: mean(probabilities) })
  }
  return {
    ...first,
    answers,
    latencyMs,
    requests: first.requests + requests,
    ...(voted > 0 && { voted }),
  }
}

function mean(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
