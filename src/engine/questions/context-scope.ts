/** How much of the earlier conversation a request needs, on an ordered rubric. */
import { CONTEXT_SCOPES, type ScopeReading, scoreToScope } from '../budget.ts'
import type { Answer, DecisionState, Question } from '../ports.ts'

const CRITERIA: Readonly<Record<(typeof CONTEXT_SCOPES)[number]['scope'], string>> = {
  'current-message':
    'The request stands by itself; the earlier conversation would not change the answer.',
  'recent-turns':
    'It needs the last few exchanges: a follow-up, a correction, a reference to something just said.',
  'full-conversation':
    'It needs the whole conversation, including decisions and constraints made much earlier.',
  everything:
    'It needs the whole conversation and every document, file and tool result gathered in it.',
}

export const SCOPE_QUESTION: Question = {
  id: 'scope',
  kind: 'score',
  instructions: 'How much of the earlier conversation does answering current_request require?',
  levels: CONTEXT_SCOPES.map(({ scope }) => ({ label: scope, description: CRITERIA[scope] })),
}

/** A rubric, not a number of tokens: a decision model ranks well and reads digits badly. */
export function scopeState(currentRequest: string): DecisionState {
  return { fields: { current_request: currentRequest }, recent: [], documents: [] }
}

/** Undefined when unanswered; the bar on confidence is applied where the threshold is resolved. */
export function readScope(answers: ReadonlyMap<string, Answer>): ScopeReading | undefined {
  const answer = answers.get(SCOPE_QUESTION.id)
  if (answer?.kind !== 'score') return undefined
  const { score, confidence } = answer
  if (!Number.isFinite(score) || !(confidence >= 0 && confidence <= 1)) return undefined
  return { scope: scoreToScope(score), confidence }
}
