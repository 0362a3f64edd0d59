import { estimateTokens, type Fields, isFields } from './validation.ts'

/** One entry of a 422 body. `input` echoes what the caller sent, as the real server does. */
export interface SystemOneFault {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
  readonly input: unknown
}

const fault = (
  loc: readonly (string | number)[],
  type: string,
  msg: string,
  input: unknown,
): SystemOneFault => ({ loc: ['body', ...loc], type, msg, input })

/** The documented shape of a request. Unknown top-level fields are ignored. */
export function findSystemOneFaults(body: unknown): readonly SystemOneFault[] {
  if (!isFields(body))
    return [fault([], 'model_attributes_type', 'Input should be an object', body)]
  const faults: SystemOneFault[] = []
  if (body.model === undefined) faults.push(fault(['model'], 'missing', 'Field required', body))
  else if (typeof body.model !== 'string') {
    faults.push(fault(['model'], 'string_type', 'Input should be a valid string', body.model))
  }
  if (body.state === undefined) faults.push(fault(['state'], 'missing', 'Field required', body))
  else if (!isEntry(body.state)) {
    faults.push(
      fault(['state'], 'state_type', 'Input should be a string, object or array', body.state),
    )
  }
  if (!isFields(body.questions)) {
    const type = body.questions === undefined ? 'missing' : 'dict_type'
    return [...faults, fault(['questions'], type, 'Input should be an object', body.questions)]
  }
  const questions = Object.entries(body.questions)
  if (questions.length === 0) {
    faults.push(fault(['questions'], 'too_short', 'At least one question', body.questions))
  }
  for (const [id, question] of questions) faults.push(...findQuestionFaults(id, question))
  return faults
}

function findQuestionFaults(id: string, question: unknown): readonly SystemOneFault[] {
  const at = ['questions', id]
  if (id === '') return [fault(at, 'string_too_short', 'A key must not be empty', id)]
  if (!isFields(question)) return [fault(at, 'dict_type', 'Input should be an object', question)]
  const faults: SystemOneFault[] = []
  const { instructions, criteria } = question
  if (instructions !== undefined && instructions !== null && !isEntry(instructions)) {
    faults.push(fault([...at, 'instructions'], 'type', 'Not a text, object or array', instructions))
  }
  const wrong = (msg: string) => faults.push(fault([...at, 'criteria'], 'criteria', msg, criteria))
  switch (question.type) {
    case 'noul':
      if (criteria !== undefined && criteria !== null && !isNoulCriteria(criteria)) {
        wrong('Criteria have the keys true and false')
      }
      break
    case 'choice':
      if (!isFields(criteria)) wrong('Criteria must be a map of labels')
      else if (Object.keys(criteria).length < 2 || Object.keys(criteria).length > 255) {
        wrong('2 to 255 labels')
      }
      break
    case 'score':
      if (!Array.isArray(criteria)) wrong('Criteria must be a list')
      else if (criteria.length < 2 || criteria.length > 10) wrong('2 to 10 levels')
      break
    default:
      faults.push(
        fault([...at, 'type'], 'union_tag_invalid', 'Not noul, choice or score', question.type),
      )
  }
  return faults
}

function isEntry(value: unknown): boolean {
  return typeof value === 'string' || isFields(value) || Array.isArray(value)
}

function isNoulCriteria(criteria: unknown): boolean {
  return (
    isFields(criteria) && Object.keys(criteria).every((key) => key === 'true' || key === 'false')
  )
}

/** Tokens of the two budgets of a valid request. */
export function systemOneTokens(body: Fields): { longest: number; total: number } {
  const state = 261 + estimateTokens(body.state)
  const questions = Object.entries(body.questions as Fields).map(
    ([, question]) => 8 + estimateTokens(question),
  )
  return {
    longest: state + Math.max(...questions),
    total: state + questions.reduce((sum, tokens) => sum + tokens, 0),
  }
}
