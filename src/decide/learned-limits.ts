import { type RequestSize, sizeLimits, withSize } from './limits.ts'
import type { WireLimits } from './wires/wire.ts'

/** Below this a server that refuses everything teaches nothing; the smaller of the two, in tokens. */
const MIN_SHARE = 1 / 16
const MIN_TOKENS = 2_000
/** Fewer questions than this are no server's limit, and those of a few may all need the same texts. */
const MIN_QUESTIONS = 16
/** A learned limit doubles in this time: a server that got larger is found out, at a refusal or two an hour. */
const DOUBLING_MS = 600_000
/** Of what was refused, where a request not much smaller has been taken. */
const BELOW_REFUSED = 0.9

/** What a server takes, as its refusals have shown. One per server, for the life of the process. */
export interface LearnedLimits {
  readonly current: () => WireLimits
  /** Whether anything learned still lowers the limits. */
  readonly isLowered: () => boolean
  /** Refusals that have lowered the limits so far. */
  readonly refusals: () => number
  /**
   * A request of this size was called too large. Returns the limits to try it with again. `seen` is what
   * `refusals` was when it was sent: several that were on their way together teach one lesson, not one each.
   */
  readonly refused: (size: RequestSize, seen?: number) => WireLimits
  /** A request of this size was taken; matters only while the limits are lowered. */
  readonly accepted: (size: RequestSize) => void
}

/**
 * Halves on a refusal, or goes to the largest size that is known to be taken; recovers with time.
 * Which limit a server meant it does not say (TEI calls too many texts too large), so all are lowered.
 *
 * @param now monotonic milliseconds
 */
export function createLearnedLimits(base: WireLimits, now: () => number): LearnedLimits {
  const most = sizeLimits(base)
  const floor = least(scale(most, MIN_SHARE), SMALLEST)
  let learned = most
  let learnedAt = now()
  let taken = NO_SIZE
  let refusals = 0

  const recovered = (): RequestSize => {
    if (learned === most) return most
    const grown = scale(learned, 2 ** ((now() - learnedAt) / DOUBLING_MS))
    if (isWithin(most, grown)) {
      learned = most
      return most
    }
    return least(most, grown)
  }

  return {
    current: () => withSize(base, recovered()),
    isLowered: () => recovered() !== most,
    refusals: () => refusals,
    refused: (size, seen = refusals) => {
      const allowed = recovered()
      const held = least(allowed, size)
      if (isWithin(size, taken)) taken = NO_SIZE
      if (seen !== refusals && !isWithin(size, allowed)) return withSize(base, allowed)
      refusals += 1
      const half = scale(held, 0.5)
      const fewer = isWithin(taken, held)
        ? greatest(half, least(taken, scale(held, BELOW_REFUSED)))
        : half
      const next =
        fewer.questions < MIN_QUESTIONS ? { ...fewer, questions: allowed.questions } : fewer
      learned = greatest(next, floor)
      learnedAt = now()
      return withSize(base, next)
    },
    accepted: (size) => {
      if (learned !== most) taken = greatest(taken, size)
    },
  }
}

const NO_SIZE: RequestSize = { stateAndLongestQuestion: 0, total: 0, questions: 0 }
const SMALLEST: RequestSize = {
  stateAndLongestQuestion: MIN_TOKENS,
  total: MIN_TOKENS,
  questions: MIN_QUESTIONS,
}

function isWithin(size: RequestSize, limit: RequestSize): boolean {
  return (
    size.stateAndLongestQuestion <= limit.stateAndLongestQuestion &&
    size.total <= limit.total &&
    size.questions <= limit.questions
  )
}

function least(a: RequestSize, b: RequestSize): RequestSize {
  return combine(a, b, Math.min)
}

function greatest(a: RequestSize, b: RequestSize): RequestSize {
  return combine(a, b, Math.max)
}

function combine(
  a: RequestSize,
  b: RequestSize,
  pick: (one: number, other: number) => number,
): RequestSize {
  return {
    stateAndLongestQuestion: pick(a.stateAndLongestQuestion, b.stateAndLongestQuestion),
    total: pick(a.total, b.total),
    questions: pick(a.questions, b.questions),
  }
}

function scale(size: RequestSize, share: number): RequestSize {
  return {
    stateAndLongestQuestion: size.stateAndLongestQuestion * share,
    total: size.total * share,
    questions: size.questions * share,
  }
}
