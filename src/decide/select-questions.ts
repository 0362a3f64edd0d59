import type { DecideRequest, DecisionDocument, Question } from '../engine/ports.ts'

/** A question and what it needs to see beyond the fields and the recent window. */
export interface SelectedQuestion {
  readonly question: Question
  /** One document by its number in `Selection.documents`, 'all' of them, or 'none'. */
  readonly needs: number | 'all' | 'none'
}

export interface Selection {
  /** In the order of the request. */
  readonly questions: readonly SelectedQuestion[]
  /** Each id once, without those that the recent window already shows. */
  readonly documents: readonly DecisionDocument[]
  readonly notAsked: number
}

/**
 * Binds each question to its document and keeps at most `maxQuestions`: those without a document
 * first, then those about the oldest documents. A question about a document that is not there cannot
 * be judged and is left out.
 */
export function selectQuestions(
  { questions, state }: Pick<DecideRequest, 'questions' | 'state'>,
  maxQuestions: number,
): Selection {
  const recent = new Set(state.recent.map(({ id }) => id))
  const documents: DecisionDocument[] = []
  const numberOf = new Map<string, number>()
  for (const document of state.documents) {
    if (recent.has(document.id) || numberOf.has(document.id)) continue
    numberOf.set(document.id, documents.length)
    documents.push(document)
  }

  const selected: SelectedQuestion[] = []
  for (const question of questions) {
    const about = question.kind === 'boolean' ? question.about : undefined
    if (about === undefined) selected.push({ question, needs: 'all' })
    else if (recent.has(about)) selected.push({ question, needs: 'none' })
    else {
      const number = numberOf.get(about)
      if (number !== undefined) selected.push({ question, needs: number })
    }
  }
  const kept = keepOldest(selected, maxQuestions)
  return { questions: kept, documents, notAsked: questions.length - kept.length }
}

function keepOldest(
  selected: readonly SelectedQuestion[],
  maxQuestions: number,
): readonly SelectedQuestion[] {
  if (selected.length <= maxQuestions) return selected
  const kept = new Set(selected.toSorted((a, b) => age(a) - age(b)).slice(0, maxQuestions))
  return selected.filter((item) => kept.has(item))
}

/** Smaller is asked first. The recent window is newer than every document. */
function age({ needs }: SelectedQuestion): number {
  if (needs === 'all') return -1
  return needs === 'none' ? Number.MAX_SAFE_INTEGER : needs
}
