import type { Violation } from './adapter.ts'

export type Report = (pointer: string, detail: string) => void

/** One rule of a wire format. `Context` is what all rules of the format share, prepared once. */
export interface WireRule<Context> {
  /** Stable name, and that of its row in docs/formats.md. */
  readonly id: string
  /** Where the provider states or enforces the rule. */
  readonly source: string
  readonly run: (context: Context, report: Report) => void
}

/** Violations in the order of the rules. A rule runs in time linear in the conversation. */
export function runRules<Context>(
  rules: readonly WireRule<Context>[],
  context: Context,
): readonly Violation[] {
  const violations: Violation[] = []
  for (const rule of rules) {
    rule.run(context, (pointer, detail) => {
      violations.push({ rule: rule.id, pointer, detail })
    })
  }
  return violations
}
