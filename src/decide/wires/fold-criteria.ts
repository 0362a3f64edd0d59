import type { Question } from '../../engine/ports.ts'

type BooleanQuestion = Extract<Question, { kind: 'boolean' }>

/** Instructions with the criteria behind them, for servers that take none, or only both of them. */
export function foldCriteria({ instructions, criteria }: BooleanQuestion): string {
  const lines = [instructions]
  if (criteria?.true !== undefined) lines.push(`Yes: ${criteria.true}`)
  if (criteria?.false !== undefined) lines.push(`No: ${criteria.false}`)
  return lines.join('\n')
}
