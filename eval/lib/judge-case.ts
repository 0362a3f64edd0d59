import type { DecidePort, DecisionDocument, Question } from '../../src/engine/ports.ts'
import { type JudgedCase, type LabelledCase, PROTECT_RECENT } from './labelled-case.ts'

const signal = new AbortController().signal

/**
 * P(needed) of every turn older than the recent window, through the port as the engine calls it. Throws
 * where the model could not be had: what it left unanswered for that reason says nothing of it.
 */
export async function judgeCase(decide: DecidePort, labelled: LabelledCase): Promise<JudgedCase> {
  const all = documentsOf(labelled)
  const documents = all.slice(0, -PROTECT_RECENT)
  const { answers, failure } = await decide.decide({
    site: 'relevance',
    questions: documents.map(
      ({ id }): Question => ({ id, kind: 'boolean', about: id, instructions: 'Is it needed?' }),
    ),
    state: {
      fields: { current_request: labelled.request },
      recent: all.slice(-PROTECT_RECENT),
      documents,
    },
    signal,
  })
  if (failure !== undefined) throw new Error(`the decide model could not be had: ${failure}`)
  const scores = documents.map(({ id }) => {
    const answer = answers.get(id)
    return answer?.kind === 'boolean' ? answer.probability : undefined
  })
  return { labelled, scores }
}

export async function judgeCases(
  decide: DecidePort,
  cases: readonly LabelledCase[],
): Promise<JudgedCase[]> {
  const judged: JudgedCase[] = []
  for (const labelled of cases) judged.push(await judgeCase(decide, labelled))
  return judged
}

function documentsOf({ turns }: LabelledCase): DecisionDocument[] {
  return turns.map(({ text, role, speaker }, index) => ({
    id: `msg__${index}`,
    role,
    text,
    ...(speaker !== undefined && { speaker }),
  }))
}
