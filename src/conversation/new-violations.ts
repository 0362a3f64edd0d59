import type { Violation } from '../formats/adapter.ts'

/**
 * Rules that the output breaks more often than the input did. A fault that the caller sent stays
 * the caller's; one that an edit made must never leave the service.
 */
export function newViolations(
  before: readonly Violation[],
  after: readonly Violation[],
): readonly string[] {
  const allowed = countByRule(before)
  return [...countByRule(after)]
    .filter(([rule, count]) => count > (allowed.get(rule) ?? 0))
    .map(([rule]) => rule)
}

function countByRule(violations: readonly Violation[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of violations) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts
}
