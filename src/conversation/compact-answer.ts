import type { JsonValue } from '../engine/transcript.ts'
import type { RecordedResult } from './compact-recorded.ts'

/** What a compaction answers, whatever way it was asked for; the conversation comes last. */
export type CompactAnswer = ReturnType<typeof reportOf> & {
  readonly [list: string]: unknown
}

/** Times a stage, in milliseconds; 0 for one that did not run. */
export interface StageDurations {
  readonly durationMs: (stage: string) => number
}

/** The answer with the conversation under the name that it was posted under. */
export function compactAnswer(result: RecordedResult, durations: StageDurations): CompactAnswer {
  return { ...reportOf(result, durations), [result.list]: result.conversation as JsonValue }
}

function reportOf(result: RecordedResult, { durationMs }: StageDurations) {
  const { report } = result
  return {
    outcome: report.outcome,
    compacted: report.outcome !== 'unchanged',
    fits: report.fits,
    format: result.format,
    tokenizer: result.tokenizer,
    stagesUsed: report.stagesUsed,
    tokensBefore: report.tokensBefore,
    tokensAfter: report.tokensAfter,
    tokensSaved: report.tokensBefore - report.tokensAfter,
    bytes: report.bytes ?? null,
    budget: result.budget,
    steps: result.steps ?? null,
    stages: report.stages.map((stage) => ({ ...stage, durationMs: durationMs(stage.stage) })),
    relevance: report.relevance ?? null,
    summary: report.summary ?? null,
    actions: report.actions,
    violations: result.violations,
    violationCount: result.violationCount,
    warnings: report.warnings,
    ...(result.recording !== undefined && { recording: result.recording }),
  }
}
