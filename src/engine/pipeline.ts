/**
 * The runner. It owns every policy that all stages share: when to stop, what is pinned, that links
 * close, that nothing grows, that a stage's failure is not the run's.
 */
import { type ChangeContext, prepareChange, type Why } from './change.ts'
import { PrecisError } from './errors.ts'
import { STAGE_NAMES, type StageName } from './options.ts'
import type { Ports } from './ports.ts'
import type { RelevanceReport, StageReport, StageStatus, SummaryReport } from './report.ts'
import type { Stage, StageInput, StageOutput } from './stage.ts'
import { collapse } from './stages/collapse.ts'
import { deduplicate } from './stages/deduplicate.ts'
import { prune } from './stages/prune.ts'
import { relevance } from './stages/relevance.ts'
import { summarize } from './stages/summarize.ts'
import { truncate } from './stages/truncate.ts'
import type { ReadonlyState, Size, State } from './state.ts'
import type { Warning } from './transcript.ts'

const STAGES = {
  relevance,
  prune,
  deduplicate,
  collapse,
  summarize,
  truncate,
} satisfies Record<StageName, Stage>

export interface PipelineResult {
  readonly stages: readonly StageReport[]
  readonly why: ReadonlyMap<number, Why>
  readonly needed: ReadonlyMap<number, number>
  readonly probabilities: readonly number[]
  readonly relevance?: RelevanceReport
  readonly summary?: SummaryReport
  readonly warnings: readonly Warning[]
}

export interface PipelineInput extends Omit<StageInput, 'needed' | 'rankByNeed' | 'state'> {
  readonly state: State
}

export async function runPipeline(input: PipelineInput, ports: Ports): Promise<PipelineResult> {
  const { state } = input
  const why = new Map<number, Why>()
  const stages: StageReport[] = []
  const warnings: Warning[] = []
  let needed: ReadonlyMap<number, number> = new Map()
  let rankByNeed = false
  let probabilities: readonly number[] = []
  let relevanceReport: RelevanceReport | undefined
  let summaryReport: SummaryReport | undefined

  for (const name of STAGE_NAMES) {
    const before = state.total
    const report = (status: StageStatus, counts: Partial<StageReport> = {}): void => {
      stages.push({
        stage: name,
        status,
        tokensBefore: before,
        tokensAfter: state.total,
        dropped: 0,
        rewritten: 0,
        ...counts,
      })
    }
    if (!input.options[name].enabled) {
      report('disabled')
      continue
    }
    if (isWithin(name, input)) {
      report('not-needed')
      continue
    }
    stopIfCallerLeft(ports)
    ports.observer?.stageStarted(name)
    let output: StageOutput
    try {
      output = await STAGES[name]({ ...input, needed, rankByNeed }, ports)
    } catch {
      stopIfCallerLeft(ports)
      report('failed', { reason: 'error' })
      continue
    } finally {
      ports.observer?.stageFinished(name)
    }
    needed = output.needed ?? needed
    rankByNeed = output.rankByNeed ?? rankByNeed
    probabilities = output.probabilities ?? probabilities
    relevanceReport = output.relevance ?? relevanceReport
    summaryReport = output.summary ?? summaryReport
    if (output.skipped !== undefined) {
      report('skipped', { reason: output.skipped })
      continue
    }
    report(...applyOutput(name, output, { ...input, ports }, why))
    warnings.push(...(output.warnings ?? []))
  }
  return {
    stages,
    why,
    needed,
    probabilities,
    warnings,
    ...(relevanceReport !== undefined && { relevance: relevanceReport }),
    ...(summaryReport !== undefined && { summary: summaryReport }),
  }
}

function applyOutput(
  name: StageName,
  output: StageOutput,
  context: ChangeContext & {
    readonly state: State
    readonly target: number
    readonly maxBytes: number
  },
  why: Map<number, Why>,
): [StageStatus, Partial<StageReport>] {
  const failure = failureOf(output)
  const nothing: [StageStatus, Partial<StageReport>] =
    failure === undefined ? ['no-change', {}] : ['failed', { reason: failure }]
  if (output.edits.length === 0) return nothing

  const { state } = context
  const proposed = prepareChange(name, output.edits, output.marker, context)
  const { drops, replacements } = proposed.change
  if (drops.size === 0 && replacements.size === 0) return nothing
  const after = state.sizeAfter(proposed.change)
  if (!isSmaller(after, context)) return ['rejected', { reason: 'not-smaller' }]
  if (output.onlyIfItFits === true && after.tokens > context.target) {
    return ['rejected', { reason: 'does-not-fit' }]
  }
  state.apply(proposed.change)
  for (const [entry, because] of proposed.why) why.set(entry, because)
  return [
    'applied',
    {
      tokensAfter: state.total,
      dropped: drops.size,
      rewritten: replacements.size,
      // Part of the answers came: what they flagged is gone, and the rest failed open.
      ...(failure !== undefined && { reason: failure }),
    },
  ]
}

/** Stages that can do something about bytes; the others work on text, of which there is little. */
const BYTE_STAGES: ReadonlySet<StageName> = new Set(['prune', 'truncate'])

function isWithin(name: StageName, { state, target, maxBytes }: PipelineInput): boolean {
  return state.total <= target && (state.bytes <= maxBytes || !BYTE_STAGES.has(name))
}

/** Tokens never grow; where only bytes are over, they may stay as they are. */
function isSmaller(
  after: Size,
  { state, maxBytes }: { readonly state: ReadonlyState; readonly maxBytes: number },
): boolean {
  if (after.tokens < state.total) return true
  return after.tokens === state.total && state.bytes > maxBytes && after.bytes < state.bytes
}

function failureOf(output: StageOutput): string | undefined {
  if (output.relevance?.failOpen !== undefined) return output.relevance.failOpen
  if (output.summary?.accepted === false) return output.summary.reason
  return undefined
}

function stopIfCallerLeft(ports: Ports): void {
  if (ports.signal.aborted) {
    throw new PrecisError('client-closed-request', 'The caller closed the connection.')
  }
}
