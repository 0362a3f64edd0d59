import { estimateTokens, type Fields, isFields } from './validation.ts'

export interface DecisionsFault {
  readonly message: string
  readonly param: string
  readonly code: string | null
}

/** OpenAI's own; a proxy in front of it may take fewer. */
const OPENAI_MAX_QUESTIONS = 400

/** The first rule that a request breaks. */
export function findDecisionsFault(
  body: unknown,
  maxQuestions = OPENAI_MAX_QUESTIONS,
): DecisionsFault | undefined {
  if (!isFields(body)) return invalid('body', 'The body must be an object.')
  if (typeof body.model !== 'string') return missing('model')
  if (body.input === undefined) return missing('input')
  if (!isInput(body.input)) return invalid('input', 'Text, or user messages of text.')
  const { questions } = body
  if (!Array.isArray(questions)) return missing('questions')
  if (questions.length < 1 || questions.length > maxQuestions) {
    return invalid('questions', `1 to ${maxQuestions} questions.`)
  }
  for (const [index, question] of questions.entries()) {
    const fault = findQuestionFault(question, `questions[${index}]`)
    if (fault !== undefined) return fault
  }
  return undefined
}

function findQuestionFault(question: unknown, at: string): DecisionsFault | undefined {
  if (!isFields(question)) return invalid(at, 'A question is an object.')
  const { type, name, instructions } = question
  if (typeof instructions !== 'string' || instructions === '') return missing(`${at}.instructions`)
  if (name !== undefined && name !== null && typeof name !== 'string') {
    return invalid(`${at}.name`, 'A name is a string.')
  }
  const allowed = ALLOWED[String(type)]
  if (allowed === undefined) return invalid(`${at}.type`, 'predicate, choice or score.')
  const unknown = Object.keys(question).find((key) => !allowed.includes(key))
  if (unknown !== undefined) {
    return { message: 'Unknown parameter.', param: `${at}.${unknown}`, code: 'unknown_parameter' }
  }
  if (type === 'choice') return findChoicesFault(question.choices, `${at}.choices`)
  if (type === 'score') return findLevelsFault(question.levels, `${at}.levels`)
  return undefined
}

const COMMON = ['type', 'name', 'instructions']
const ALLOWED: Readonly<Record<string, readonly string[] | undefined>> = {
  predicate: COMMON,
  choice: [...COMMON, 'choices'],
  score: [...COMMON, 'levels'],
}

function findChoicesFault(choices: unknown, at: string): DecisionsFault | undefined {
  if (!Array.isArray(choices) || choices.length < 2 || choices.length > 255) {
    return invalid(at, '2 to 255 choices.')
  }
  const values = choices.map((choice) => (isFields(choice) ? choice.value : undefined))
  const typed = values.every((value) => typeof value === 'string' || typeof value === 'boolean')
  return typed && new Set(values).size === values.length
    ? undefined
    : invalid(at, 'Values are strings or booleans, each once.')
}

function findLevelsFault(levels: unknown, at: string): DecisionsFault | undefined {
  if (!Array.isArray(levels) || levels.length < 2 || levels.length > 10) {
    return invalid(at, '2 to 10 levels.')
  }
  return levels.every((level) => isFields(level) && typeof level.label === 'string')
    ? undefined
    : invalid(at, 'A level has a label.')
}

function isInput(input: unknown): boolean {
  if (typeof input === 'string') return input !== ''
  return Array.isArray(input) && input.length > 0 && input.every(isUserMessage)
}

function isUserMessage(message: unknown): boolean {
  if (!isFields(message) || message.type !== 'message' || message.role !== 'user') return false
  const { content } = message
  return typeof content === 'string' || (Array.isArray(content) && content.every(isInputPart))
}

function isInputPart(part: unknown): boolean {
  return isFields(part) && (part.type === 'input_text' || part.type === 'input_image')
}

function missing(param: string): DecisionsFault {
  return { message: 'Missing required parameter.', param, code: 'missing_required_parameter' }
}

function invalid(param: string, message: string): DecisionsFault {
  return { message, param, code: 'invalid_value' }
}

export function decisionsTokens(body: Fields): number {
  return estimateTokens(body.input) + estimateTokens(body.questions)
}
