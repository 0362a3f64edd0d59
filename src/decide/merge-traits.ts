import type { DecideResult, DecideTraits } from '../engine/ports.ts'

/**
 * How far the answers of one call can be trusted when several models gave them: by the most careful
 * of them. One whose ranking counts for more than age has answers that are only safe in that order;
 * the smallest budget of risk binds.
 *
 * @returns undefined when there were no answers
 */
export function mergeTraits(
  traits: readonly Pick<DecideTraits, 'order' | 'riskBudget'>[],
): DecideResult['traits'] {
  if (traits.length === 0) return undefined
  const budgets = traits.flatMap(({ riskBudget }) => riskBudget ?? [])
  return {
    order: traits.some(({ order }) => order === 'least-needed-first')
      ? 'least-needed-first'
      : 'oldest-first',
    riskBudget: budgets.length === 0 ? undefined : Math.min(...budgets),
  }
}
