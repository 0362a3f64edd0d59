import { ACTION_COLUMNS, type DescribeMessage, listActions } from './action-rows.ts'
import type { CompactAnswer } from './compact-answer.ts'
import { type Fact, renderFacts } from './facts.ts'
import { formatCount, formatNumber, formatPercent } from './numbers.ts'
import type { Paint, Style } from './paint.ts'
import { type Column, type Row, renderTable } from './table.ts'
import { warningLines } from './warning-lines.ts'

export interface CompactReportOptions {
  readonly width: number
  readonly paint: Paint
  /** What the conversation is and where it came from, in a few words. */
  readonly source: string
  /** Messages of the input. */
  readonly messageCount: number
  readonly describe: DescribeMessage
  /** One row for every action. */
  readonly listsAll: boolean
  readonly isDryRun: boolean
}

const STAGE_COLUMNS: readonly Column[] = [
  { title: 'stage' },
  { title: 'status' },
  { title: 'before', align: 'right' },
  { title: 'after', align: 'right' },
  { title: 'dropped', align: 'right', dropOrder: 2 },
  { title: 'rewritten', align: 'right', dropOrder: 3 },
  { title: 'ms', align: 'right', dropOrder: 4 },
  { title: 'why', minWidth: 16, wraps: true, dropOrder: 1 },
]

/** What a run did, for people: the result, the stages, and the messages that changed, each with why. */
export function renderCompactReport(
  answer: CompactAnswer,
  options: CompactReportOptions,
): readonly string[] {
  const { width, paint, describe, listsAll } = options
  const { rows, hidden } = listActions(answer.actions, describe, listsAll)
  return [
    ...renderFacts(factsOf(answer, options), { width, paint }),
    '',
    ...renderTable(STAGE_COLUMNS, answer.stages.map(stageRow), { width, paint }),
    ...(rows.length === 0 ? [] : ['', ...renderTable(ACTION_COLUMNS, rows, { width, paint })]),
    ...(hidden === 0
      ? []
      : [paint('dim', `and ${formatCount(hidden, 'message')} more: --explain lists them all`)]),
    ...warningLines(answer.warnings, { width, paint }),
  ]
}

function factsOf(answer: CompactAnswer, options: CompactReportOptions): readonly Fact[] {
  const { tokensBefore, tokensAfter, fits, budget } = answer
  const saved = `${formatPercent(tokensBefore - tokensAfter, tokensBefore)} saved`
  const isUnchanged = answer.outcome === 'unchanged'
  return [
    { name: 'input', text: options.source },
    { name: 'format', text: `${answer.format}, tokens ${countedBy(answer)}` },
    { name: 'target', text: targetText(answer) },
    {
      name: 'result',
      text: [
        isUnchanged
          ? `${formatNumber(tokensBefore)} tokens, unchanged`
          : `${formatNumber(tokensBefore)} → ${formatNumber(tokensAfter)} tokens, ${saved}`,
        fits ? 'fits' : 'does not fit',
        ...(options.isDryRun ? ['dry run: nothing was written'] : []),
      ].join('; '),
      style: fits ? 'green' : 'yellow',
    },
    ...bytesFacts(answer),
    ...(isUnchanged ? [] : [{ name: 'messages', text: messagesText(answer, options) }]),
    ...(fits ? [] : [{ name: 'floor', text: floorText(budget.floor) }]),
    ...relevanceFacts(answer),
  ]
}

function countedBy({ tokenizer: { encoding, estimated, factor } }: CompactAnswer): string {
  const times = factor === 1 ? '' : ` × ${factor}`
  return estimated ? `estimated (${encoding}${times})` : `counted (${encoding}${times})`
}

function targetText({ budget }: CompactAnswer): string {
  const { targetTokens, requestedTokens, safetyFactor } = budget
  const target = `${formatNumber(targetTokens.value)} tokens`
  if (typeof requestedTokens === 'number' && typeof safetyFactor === 'number') {
    return `${target}: ${safetyFactor} of the ${formatNumber(requestedTokens)} asked for, as counts are estimates`
  }
  return targetTokens.source === 'request'
    ? `${target}, as asked for`
    : `${target}, from the window's arithmetic`
}

function messagesText(
  { actions, stages }: CompactAnswer,
  { messageCount }: CompactReportOptions,
): string {
  const count = (action: string) => actions.filter((each) => each.action === action).length
  const dropped = actions.length === 0 ? total(stages, 'dropped') : count('dropped')
  const inserted = count('inserted')
  const parts = [
    `${formatNumber(dropped)} dropped`,
    `${formatNumber(count('rewritten'))} rewritten`,
    ...(inserted > 0 ? [`${formatNumber(inserted)} inserted`] : []),
  ]
  return `${formatNumber(messageCount)} → ${formatNumber(messageCount - dropped + inserted)}: ${parts.join(', ')}`
}

function total(stages: CompactAnswer['stages'], member: 'dropped' | 'rewritten'): number {
  return stages.reduce((sum, stage) => sum + stage[member], 0)
}

function bytesFacts({ bytes }: CompactAnswer): readonly Fact[] {
  if (bytes === null || bytes === undefined) return []
  const { before, after, max } = bytes
  return [
    {
      name: 'bytes',
      text: `${formatNumber(before)} → ${formatNumber(after)}; ${formatNumber(max)} at most`,
    },
  ]
}

function floorText(floor: CompactAnswer['budget']['floor']): string {
  const parts = [
    ['instructions', floor.instructions],
    ['tools', floor.tools],
    ['framing', floor.framing],
    ...Object.entries(floor.pins),
    ['newest messages', floor.protectedTail],
    ['marker', floor.marker],
  ] as const
  const shown = parts
    .filter(([, tokens]) => tokens > 0)
    .map(([name, tokens]) => `${name} ${formatNumber(tokens)}`)
  return `${formatNumber(floor.tokens)} tokens that nothing removes: ${shown.join(', ')}`
}

function relevanceFacts({ relevance }: CompactAnswer): readonly Fact[] {
  if (relevance === null || relevance === undefined || relevance.asked === 0) return []
  const { asked, flagged, dropped, model, expectedNeededLost, failOpen } = relevance
  const parts = [
    `${formatNumber(asked)} judged, ${formatNumber(flagged)} surely not needed, ${formatNumber(dropped)} dropped`,
    ...(dropped > 0 ? [`expected to be needed after all: ${expectedNeededLost.toFixed(2)}`] : []),
    ...(failOpen === undefined ? [] : [`the rest was kept: ${failOpen}`]),
  ]
  return [{ name: 'relevance', text: `${model}: ${parts.join('; ')}` }]
}

const RAN: ReadonlySet<string> = new Set(['applied', 'no-change', 'rejected', 'failed'])

const STATUS_STYLES: Readonly<Record<string, Style>> = {
  applied: 'green',
  rejected: 'yellow',
  failed: 'red',
  'no-change': 'dim',
  'not-needed': 'dim',
  disabled: 'dim',
  skipped: 'dim',
}

/** Numbers of a stage that did not run say nothing. */
function stageRow(stage: CompactAnswer['stages'][number]): Row {
  const { status, reason = '' } = stage
  const cells = RAN.has(status)
    ? [
        formatNumber(stage.tokensBefore),
        formatNumber(stage.tokensAfter),
        stage.dropped === 0 ? '' : formatNumber(stage.dropped),
        stage.rewritten === 0 ? '' : formatNumber(stage.rewritten),
        stage.durationMs.toFixed(1),
      ]
    : ['', '', '', '', '']
  const style = STATUS_STYLES[status]
  return {
    cells: [stage.stage, status, ...cells, reason],
    ...(style !== undefined && { style }),
  }
}
