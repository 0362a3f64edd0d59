import type { Answer, DecideFailure, DecideResult, Question } from '../engine/ports.ts'

/** What became of one packed request, or of several taken together. */
export interface Outcome {
  readonly answers: ReadonlyMap<string, Answer>
  /** Requests sent, retries included. */
  readonly requests: number
  readonly notAsked: number
  /** The model that answered, as the server names it. */
  readonly model?: string
  /** The first in the order of the requests. */
  readonly failure?: DecideFailure
}

export function failed(failure: DecideFailure, requests = 0): Outcome {
  return { answers: new Map(), requests, notAsked: 0, failure }
}

export function combine(outcomes: readonly Outcome[]): Outcome {
  const answers = new Map<string, Answer>()
  let requests = 0
  let notAsked = 0
  for (const outcome of outcomes) {
    for (const [id, answer] of outcome.answers) answers.set(id, answer)
    requests += outcome.requests
    notAsked += outcome.notAsked
  }
  const failure = outcomes.find((outcome) => outcome.failure !== undefined)?.failure
  const model = outcomes.find((outcome) => outcome.model !== undefined)?.model
  return {
    answers,
    requests,
    notAsked,
    ...(model === undefined ? {} : { model }),
    ...(failure === undefined ? {} : { failure }),
  }
}

/** Answers come in the order of the questions, whichever request was answered first. */
export function toResult(
  outcome: Outcome,
  meta: {
    readonly wire: string
    /** As configured, where the server does not name its model. */
    readonly model: string
    readonly questions: readonly Question[]
    readonly latencyMs: number
  },
): DecideResult {
  const answers = new Map<string, Answer>()
  for (const { id } of meta.questions) {
    const answer = outcome.answers.get(id)
    if (answer !== undefined) answers.set(id, answer)
  }
  return {
    answers,
    wire: meta.wire,
    model: outcome.model ?? meta.model,
    latencyMs: meta.latencyMs,
    requests: outcome.requests,
    notAsked: outcome.notAsked,
    ...(outcome.failure === undefined ? {} : { failure: outcome.failure }),
  }
}
