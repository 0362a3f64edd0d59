import type { FormatAdapter, Violation } from '../formats/adapter.ts'

/** Most violations that one answer lists: a conversation of 100,000 orphans is told in part. */
export const MAX_LISTED = 100

export interface ListedViolation extends Violation {
  /** Where the provider states or enforces the rule. */
  readonly source?: string
}

export interface ListedViolations {
  /** The first of them, in the order of the rules. */
  readonly violations: readonly ListedViolation[]
  readonly violationCount: number
}

export function listViolations(
  violations: readonly Violation[],
  { rules }: Pick<FormatAdapter, 'rules'>,
): ListedViolations {
  const listed = violations.slice(0, MAX_LISTED).map((violation): ListedViolation => {
    const source = rules.find(({ id }) => id === violation.rule)?.source
    return source === undefined ? violation : { ...violation, source }
  })
  return { violations: listed, violationCount: violations.length }
}
