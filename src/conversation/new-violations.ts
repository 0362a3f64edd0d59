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

/** What stands before a broken result decides which of these it is: they count as one. */
const BROKEN_RESULT: ReadonlySet<string> = new Set([
  'result-without-call',
  'result-misplaced',
  'duplicate-result',
])

function countByRule(violations: readonly Violation[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { rule } of violations) {
    const name = BROKEN_RESULT.has(rule) ? 'result-without-call' : rule
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}
