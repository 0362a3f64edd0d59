import type { DecidePort } from '../engine/ports.ts'

/** What a model in this process gets where one over the network used up the rest: it needs far less. */
const LOCAL_RESERVE_MS = 500
const LOCAL_RESERVE_SHARE = 0.1

/** A model in this process takes any number of questions (see `DecideTraits.maxQuestions`). */
export function isLocal({ traits }: DecidePort): boolean {
  return traits.maxQuestions === Number.POSITIVE_INFINITY
}

/**
 * When a model of a chain has to be done so that those after it can still be asked: models over the
 * network share the time that is left equally, one in this process has a reserve.
 *
 * @param after the models that would be asked next
 */
export function linkDeadline(
  deadlineAt: number | undefined,
  now: number,
  after: readonly DecidePort[],
): number | undefined {
  if (deadlineAt === undefined || after.length === 0) return deadlineAt
  const left = Math.max(0, deadlineAt - now)
  const remote = after.filter((link) => !isLocal(link)).length
  const reserve = remote < after.length ? Math.min(LOCAL_RESERVE_MS, left * LOCAL_RESERVE_SHARE) : 0
  return now + (left - reserve) / (1 + remote)
}

/** Of the time that the models have in all; the summariser writes and is judged in the rest. */
export const RELEVANCE_SHARE = 0.5

/**
 * Keeps a decide model that hangs in stage 0 from taking the summariser's time too: what it does not
 * answer in half of the time that the models have is not waited for. Nothing changes for a model that
 * answers, and for deadlines of four timeouts and more.
 */
export function leaveTimeForSummary(
  port: DecidePort,
  now: () => number = () => performance.now(),
): DecidePort {
  return {
    traits: port.traits,
    decide: (request) => {
      const { site, deadlineAt } = request
      if (site !== 'relevance' || deadlineAt === undefined) return port.decide(request)
      const current = now()
      const share = Math.max(0, deadlineAt - current) * RELEVANCE_SHARE
      return port.decide({ ...request, deadlineAt: current + share })
    },
  }
}
