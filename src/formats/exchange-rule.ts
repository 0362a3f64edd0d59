import type { WireRule } from './wire-rule.ts'

/** A call or a result that breaks a rule of exchanges. */
export interface FaultyPlace<Fault extends string> {
  readonly fault: Fault
  readonly pointer: string
}

/** A rule whose places a walk over all exchanges has found, together with those of the others. */
export function exchangeRule<Fault extends string>(
  id: Fault,
  source: string,
  detail: string,
): WireRule<{ readonly exchanges: readonly FaultyPlace<Fault>[] }> {
  return {
    id,
    source,
    run: ({ exchanges }, report) => {
      for (const { fault, pointer } of exchanges) if (fault === id) report(pointer, detail)
    },
  }
}
