import { type JudgedCase, type LabelledCase, PROTECT_RECENT } from './labelled-case.ts'

/** The newest are kept longest. */
export function judgeByPosition(labelled: LabelledCase): JudgedCase {
  const judged = labelled.turns.length - PROTECT_RECENT
  return { labelled, scores: Array.from({ length: Math.max(0, judged) }, (_, index) => index) }
}

/** The first message and the newest: what context collapse keeps. */
export function judgeByFirstAndPosition(labelled: LabelledCase): JudgedCase {
  const { scores } = judgeByPosition(labelled)
  return { labelled, scores: scores.map((score, index) => (index === 0 ? scores.length : score)) }
}
