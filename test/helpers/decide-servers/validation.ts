/** Shapes that both servers look at. Written from the documentation, apart from the client's code. */

export type Fields = Record<string, unknown>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A rough count in the manner of a byte-pair tokenizer: a token per five letters of a word, and one
 * per digit or sign.
 */
export function estimateTokens(value: unknown): number {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  let tokens = 0
  for (const [piece] of text.matchAll(/[A-Za-z]+|[^\sA-Za-z]/gu)) {
    tokens += Math.ceil(piece.length / 5)
  }
  return tokens
}

/**
 * What the test says about a question: P(yes), or of the first choice, or of the highest level; or
 * the probabilities of all choices or levels.
 */
export type TestAnswer = number | readonly number[]

/** @param first whether a lone probability is that of the first option, or of the last */
export function distribute(answer: TestAnswer, count: number, first: boolean): readonly number[] {
  if (typeof answer !== 'number') return answer
  const rest = (1 - answer) / (count - 1)
  return Array.from({ length: count }, (_, index) =>
    index === (first ? 0 : count - 1) ? answer : rest,
  )
}

export function modeOf(probabilities: readonly number[]): number {
  return probabilities.indexOf(Math.max(...probabilities))
}

export function choiceCertainty(probabilities: readonly number[]): number {
  const even = 1 / probabilities.length
  return (Math.max(...probabilities) - even) / (1 - even)
}

export function scoreCertainty(probabilities: readonly number[]): number {
  const count = probabilities.length
  const mode = modeOf(probabilities)
  const around = probabilities.reduce((sum, p, index) => sum + p * Math.abs(index - mode), 0)
  const even = probabilities.reduce((sum, _, index) => sum + Math.abs(index - (count - 1) / 2), 0)
  return Math.max(0, 1 - around / (even / count))
}

export function expectedScore(probabilities: readonly number[]): number {
  return probabilities.reduce((sum, p, index) => sum + p * index, 0)
}
