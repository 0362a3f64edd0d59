import type { CompactionReport } from '../../engine/report.ts'

/** What a step tells about itself. Its numbers of messages are places in the view that it began with. */
export type StepReport = Pick<
  CompactionReport,
  | 'tokensAfter'
  | 'floor'
  | 'stages'
  | 'relevance'
  | 'summary'
  | 'drops'
  | 'probabilities'
  | 'actions'
  | 'warnings'
>

/** What is remembered: a step that is recalled has asked no model, and explains what it changed. */
export function toRemember(report: StepReport): StepReport {
  const { tokensAfter, floor, stages, drops, warnings } = report
  const actions = report.actions.filter(({ action }) => action !== 'kept')
  return { tokensAfter, floor, stages, drops, warnings, actions, probabilities: [] }
}
