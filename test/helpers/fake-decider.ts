import type {
  Answer,
  DecideFailure,
  DecidePort,
  DecideRequest,
  DecideTraits,
} from '../../src/engine/ports.ts'

export interface FakeDeciderOptions {
  readonly traits?: Partial<DecideTraits>
  /** P(yes) of a question; undefined leaves it unanswered. */
  readonly answer?: (id: string, call: number) => number | undefined
  readonly failure?: DecideFailure | undefined
  readonly notAsked?: number
  /** Runs before the answer; throwing makes the port throw. */
  readonly before?: (request: DecideRequest, call: number) => void | Promise<void>
}

export interface FakeDecider extends DecidePort {
  readonly requests: readonly DecideRequest[]
}

/** A decide model over the network, without the network. */
export function createFakeDecider(wire: string, options: FakeDeciderOptions = {}): FakeDecider {
  const requests: DecideRequest[] = []
  const traits: DecideTraits = {
    wire,
    model: `${wire}-model`,
    order: 'oldest-first',
    riskBudget: undefined,
    maxQuestions: 300,
    sites: new Set(['relevance', 'summary-gate', 'context-scope']),
    ...options.traits,
  }
  return {
    traits,
    requests,
    decide: async (request) => {
      const call = requests.push(request) - 1
      await options.before?.(request, call)
      const answers = new Map<string, Answer>()
      for (const { id } of request.questions) {
        const probability = options.answer?.(id, call)
        if (probability !== undefined) answers.set(id, { kind: 'boolean', probability })
      }
      return {
        answers,
        wire,
        model: traits.model,
        latencyMs: 1,
        requests: 1,
        notAsked: options.notAsked ?? 0,
        ...(options.failure !== undefined && { failure: options.failure }),
      }
    },
  }
}

/** The embedded model's traits, for a fake that stands for it. */
export const LOCAL_TRAITS: Partial<DecideTraits> = {
  order: 'least-needed-first',
  riskBudget: 0.05,
  maxQuestions: Number.POSITIVE_INFINITY,
  sites: new Set(['relevance']),
}
