import { STAGE_NAMES } from '../../engine/options.ts'
import type { CompactionReport, RelevanceReport, StageReport } from '../../engine/report.ts'

/** A stage's savings over all steps, as if the stages had run once after one another. */
export function mergeStages(
  all: readonly Pick<CompactionReport, 'stages'>[],
  tokensBefore: number,
): StageReport[] {
  let tokens = tokensBefore
  return STAGE_NAMES.map((stage) => {
    const reports = all.flatMap(({ stages }) => stages.filter((one) => one.stage === stage))
    const shown = reports.findLast(({ status }) => status === 'applied') ?? reports.at(-1)
    const before = tokens
    let dropped = 0
    let rewritten = 0
    for (const report of reports) {
      tokens -= report.tokensBefore - report.tokensAfter
      dropped += report.dropped
      rewritten += report.rewritten
    }
    return {
      stage,
      status: shown?.status ?? 'not-needed',
      ...(shown?.reason !== undefined && { reason: shown.reason }),
      tokensBefore: before,
      tokensAfter: tokens,
      dropped,
      rewritten,
    }
  })
}

/** Counts are sums; what names a model is the last step's. */
export function mergeRelevance(
  all: readonly Pick<CompactionReport, 'relevance'>[],
): RelevanceReport | undefined {
  const reports = all.flatMap(({ relevance }) => relevance ?? [])
  return reports.reduce<RelevanceReport | undefined>((merged, next) => {
    if (merged === undefined) return next
    const failOpen = next.failOpen ?? merged.failOpen
    return {
      ...next,
      asked: merged.asked + next.asked,
      answered: merged.answered + next.answered,
      flagged: merged.flagged + next.flagged,
      dropped: merged.dropped + next.dropped,
      notAsked: merged.notAsked + next.notAsked,
      capHit: merged.capHit || next.capHit,
      expectedNeededLost: merged.expectedNeededLost + next.expectedNeededLost,
      latencyMs: merged.latencyMs + next.latencyMs,
      requests: merged.requests + next.requests,
      ...(failOpen !== undefined && { failOpen }),
    }
  }, undefined)
}
