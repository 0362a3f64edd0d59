import type { Answer, Question } from '../../engine/ports.ts'
import { choiceConfidence, readConfidence, scoreConfidence } from './confidence.ts'
import { isProbability, isRecord, type JsonRecord } from './json.ts'

/** How a wire spells what both wires say. */
export interface AnswerShape {
  readonly booleanType: string
  readonly booleanMember: string
  /** The probability of a choice's label, or of a score's level. */
  readonly probabilityOf: (probabilities: unknown, label: string, level?: number) => unknown
}

/** Undefined for a missing answer, one of another type, and one that is out of range. */
export function readAnswer(
  value: unknown,
  question: Question,
  shape: AnswerShape,
): Answer | undefined {
  if (!isRecord(value)) return undefined
  switch (question.kind) {
    case 'boolean': {
      const probability = value[shape.booleanMember]
      return value.type === shape.booleanType && isProbability(probability)
        ? { kind: 'boolean', probability }
        : undefined
    }
    case 'choice':
      return value.type === 'choice' ? readChoice(value, question, shape) : undefined
    case 'score':
      return value.type === 'score' ? readScore(value, question, shape) : undefined
  }
}

function readChoice(
  value: JsonRecord,
  { choices }: Extract<Question, { kind: 'choice' }>,
  { probabilityOf }: AnswerShape,
): Answer | undefined {
  const chosen = choices.find(({ label }) => label === value.choice)
  const confidence = readConfidence(value.confidence, () =>
    choiceConfidence(choices.map(({ label }) => probabilityOf(value.probabilities, label))),
  )
  if (chosen === undefined || confidence === undefined) return undefined
  return { kind: 'choice', choice: chosen.label, confidence }
}

function readScore(
  value: JsonRecord,
  { levels }: Extract<Question, { kind: 'score' }>,
  { probabilityOf }: AnswerShape,
): Answer | undefined {
  const { score } = value
  const confidence = readConfidence(value.confidence, () =>
    scoreConfidence(
      levels.map(({ label }, level) => probabilityOf(value.probabilities, label, level)),
    ),
  )
  if (typeof score !== 'number' || !(score >= 0 && score <= levels.length - 1)) return undefined
  return confidence === undefined ? undefined : { kind: 'score', score, confidence }
}
