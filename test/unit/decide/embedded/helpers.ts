import { createEmbeddedDecider } from '../../../../src/decide/embedded/embedded-decider.ts'
import type { DecideResult, DecisionDocument, Question } from '../../../../src/engine/ports.ts'

export function documents(texts: readonly string[], prefix = 'msg__'): DecisionDocument[] {
  return texts.map((text, index) => ({
    id: `${prefix}${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    text,
  }))
}

export function questionsAbout(about: readonly DecisionDocument[]): Question[] {
  return about.map(({ id }) => ({
    id: `q:${id}`,
    kind: 'boolean',
    about: id,
    instructions: 'Is it still needed?',
  }))
}

export interface AskOptions {
  readonly recent?: readonly DecisionDocument[]
  readonly signal?: AbortSignal
}

export function ask(
  request: string,
  judged: readonly DecisionDocument[],
  { recent = [], signal = new AbortController().signal }: AskOptions = {},
): Promise<DecideResult> {
  return createEmbeddedDecider().decide({
    site: 'relevance',
    questions: questionsAbout(judged),
    state: { fields: { current_request: request }, recent, documents: judged },
    signal,
  })
}

/** P(needed) in the order of the documents; NaN where there is no answer. */
export async function needed(
  request: string,
  judged: readonly DecisionDocument[],
  options: AskOptions = {},
): Promise<number[]> {
  const { answers } = await ask(request, judged, options)
  return judged.map(({ id }) => {
    const answer = answers.get(`q:${id}`)
    return answer?.kind === 'boolean' ? answer.probability : Number.NaN
  })
}

/** Small talk of different words, for conversations in which one message matters. */
export function smallTalk(count: number): string[] {
  const subjects = ['weather', 'garden', 'football', 'breakfast', 'holiday', 'neighbour', 'music']
  const verbs = ['enjoyed', 'discussed', 'forgot', 'watched', 'praised']
  return Array.from({ length: count }, (_, index) => {
    const subject = subjects[index % subjects.length]
    const verb = verbs[index % verbs.length]
    return `That is nice to hear, we ${verb} the ${subject} on day ${index} and had a good time.`
  })
}

/** Small talk with one message, the thirteenth, that is about something. */
export function conversation(): string[] {
  const texts = smallTalk(40)
  texts[12] = 'The invoice service reads INVOICE_RETRY_LIMIT from billing/retryPolicy.ts, it is 7.'
  return texts
}
