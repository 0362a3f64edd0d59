/** The two questions that a summary must not fail before it replaces what it covers. */
import type { Answer, DecisionDocument, DecisionState, Question } from '../ports.ts'
import type { GateReport } from '../report.ts'
import { isConfidentNo, isConfidentYes, readBoolean } from './verdict.ts'

export const GATE_QUESTIONS: readonly Question[] = [
  {
    id: 'preserves',
    kind: 'boolean',
    instructions:
      'Does summary keep every decision, requirement, constraint, correction and open question of ' +
      'the original messages that a later turn could need?',
  },
  {
    id: 'is_refusal',
    kind: 'boolean',
    instructions:
      'Is summary something other than a summary of the original messages: a refusal, an apology, ' +
      'an error message, or a request for clarification?',
  },
]

export function gateState(summary: string, originals: readonly DecisionDocument[]): DecisionState {
  return { fields: { summary }, recent: [], documents: originals }
}

/** Accepts unless the model is confident that the summary is a refusal, or that it loses something. */
export function readGate(answers: ReadonlyMap<string, Answer>, minConfidence: number): GateReport {
  const preserves = readBoolean(answers.get('preserves'))
  const isRefusal = readBoolean(answers.get('is_refusal'))
  const rejected =
    isConfidentYes(isRefusal, minConfidence) || isConfidentNo(preserves, minConfidence)
  return {
    accepted: !rejected,
    ...(preserves !== undefined && { preserves }),
    ...(isRefusal !== undefined && { isRefusal }),
    ...(preserves === undefined && isRefusal === undefined && { failOpen: 'unanswered' as const }),
  }
}
