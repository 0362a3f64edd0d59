import type { ScopeReport } from '../conversation/context-scope.ts'
import { FAIL_OPEN_REASON_LABELS, toLabel } from './labels.ts'
import type { Metrics } from './metrics.ts'

export function recordScope(metrics: Metrics, scope: ScopeReport | null): void {
  if (scope === null) return
  if (scope.confidence !== null) {
    metrics.confidence.observe({ question: 'context-scope' }, scope.confidence)
  }
  const reason = toLabel(FAIL_OPEN_REASON_LABELS, scope.failOpen ?? '', undefined)
  if (reason !== undefined) metrics.failOpen.inc({ site: 'context-scope', reason })
}
