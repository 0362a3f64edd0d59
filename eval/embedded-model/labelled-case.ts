import { createEmbeddedDecider } from '../../src/decide/embedded/embedded-decider.ts'
import type { DecisionDocument, Question } from '../../src/engine/ports.ts'

/** Newest messages that are never judged: the service's default. */
export const PROTECT_RECENT = 6

export const NO_OPINION = 0.5

export interface Turn {
  readonly text: string
  readonly role: 'user' | 'assistant' | 'tool'
  readonly speaker?: string
  readonly needed: boolean
}

/** A conversation, a request, and which of its turns that request needs. */
export interface LabelledCase {
  readonly kind: string
  readonly request: string
  readonly turns: readonly Turn[]
  /** Newest turns that are never judged. Undefined: PROTECT_RECENT. */
  readonly recent?: number
  /** In a session: whether the request lies far back, and an agent works on it. */
  readonly isUnderWay?: boolean
}

/** Documents of the turns, those of the recent window last. */
export function documentsOf(labelled: LabelledCase): DecisionDocument[] {
  return labelled.turns.map(({ text, role, speaker }, index) => ({
    id: `msg__${index}`,
    role,
    text,
    ...(speaker !== undefined && { speaker }),
  }))
}

export function recentOf({ recent = PROTECT_RECENT }: LabelledCase): number {
  return recent
}

/** A request that was just made is the newest message; one that is worked on lies further back. */
function recentWindow(labelled: LabelledCase, all: readonly DecisionDocument[]) {
  const recent = all.slice(all.length - recentOf(labelled))
  const isOld = labelled.isUnderWay !== false
  return isOld
    ? recent
    : [...recent, { id: 'request', role: 'user' as const, text: labelled.request }]
}

const decider = createEmbeddedDecider()
const signal = new AbortController().signal

/**
 * P(needed) of every turn outside the recent window, through the port as the engine calls it. 0.5, which
 * keeps a turn, where the model leaves it unanswered.
 */
export async function judgeCase(labelled: LabelledCase): Promise<readonly number[]> {
  const all = documentsOf(labelled)
  const documents = all.slice(0, all.length - recentOf(labelled))
  const questions = documents.map(
    ({ id }): Question => ({ id, kind: 'boolean', about: id, instructions: '' }),
  )
  const { answers } = await decider.decide({
    site: 'relevance',
    questions,
    state: {
      fields: { current_request: labelled.request },
      recent: recentWindow(labelled, all),
      documents,
    },
    signal,
  })
  return documents.map(({ id }) => {
    const answer = answers.get(id)
    return answer?.kind === 'boolean' ? answer.probability : NO_OPINION
  })
}

/** A repeatable stream of numbers in [0, 1) (mulberry32). */
export function randomStream(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
