/**
 * A summary written by a language model replaces the older part. It must be smaller, not poorer than
 * the summary that it merges, and pass the gate; anything else leaves the conversation as it is and
 * the next stage runs.
 */
import type { Edit, Insertion } from '../edit.ts'
import { SUMMARY_PREFIX, withoutRetrievalMarks } from '../marker.ts'
import type { Ports, SummarizePort, SummarizeResult } from '../ports.ts'
import type { SummaryReport } from '../report.ts'
import type { StageInput, StageOutput } from '../stage.ts'
import { findSummaryFault, findTextFault } from '../summary/checks.ts'
import { askGate } from '../summary/gate.ts'
import { planRounds, type Rendered, roundInput } from '../summary/material.ts'
import { summaryInstructions } from '../summary/prompt.ts'
import { headAndTail, shortenToTokens } from '../text-cut.ts'
import { type Entry, entryText } from '../transcript.ts'

/** Fewer messages than this are not worth a model call (NeuroLink: more than four in all). */
const MIN_COVERED_MESSAGES = 2

/** Most of the summariser's window that the summary so far may take. */
const PREVIOUS_SUMMARY_SHARE = 0.4

/** Prose has four or five; only runs of spaces and the like have more than this. */
const MAX_CHARACTERS_PER_TOKEN = 8

/** A window with less room for messages than this cannot be worked with. */
const MIN_ROUND_TOKENS = 100

export async function summarize(input: StageInput, ports: Ports): Promise<StageOutput> {
  const { summarize: port } = ports
  if (port === undefined) return { edits: [], skipped: 'no-summarizer' }
  const covered = selectCovered(input)
  const previous = covered.filter((entry) => entry.flags.summary === true)
  const messages = covered.filter(
    (entry) => entry.flags.summary !== true && entry.flags.marker !== true,
  )
  if (messages.length === 0 || previous.length + messages.length < MIN_COVERED_MESSAGES) {
    return { edits: [], skipped: 'nothing-to-summarize' }
  }
  const previousText = previous.length === 0 ? undefined : previous.map(summaryBody).join('\n\n')
  const written = await write(messages, previousText, port, ports)
  const report = {
    covers: countCovered(covered),
    rounds: written.rounds,
    tokens: 0,
    model: port.model,
    latencyMs: written.latencyMs,
  }
  if (!written.last.ok) {
    return failed({ ...report, accepted: false, reason: written.last.failure })
  }
  const { toolCalls, refused, truncated } = written.last
  const raw = withoutRetrievalMarks(written.last.text)
  const text = `${SUMMARY_PREFIX}${raw.trim()}`
  const tokens = ports.countInsertion(text)
  const tokensOf = (entries: readonly Entry[]): number =>
    entries.reduce((sum, entry) => sum + input.state.tokensOf(entry.index), 0)
  const fault = findSummaryFault({
    text: raw,
    toolCalls,
    refused,
    tokens,
    replacedTokens: tokensOf(covered),
    // The floor counts the summaries before it as pinned; the new one takes their place.
    allowedTokens: input.target - input.floorTokens + tokensOf(previous),
    previous: previousText,
  })
  if (fault !== undefined) return failed({ ...report, tokens, accepted: false, reason: fault })

  const gate = await askGate(raw, covered, input.options.summarize.minRejectConfidence, ports)
  if (!gate.accepted) return failed({ ...report, tokens, accepted: false, reason: 'gate', gate })
  return {
    edits: [
      ...covered.map(dropCovered),
      { op: 'insert', reason: 'summary', insertion: insertionOf(covered, text) },
    ],
    summary: { ...report, tokens, accepted: true, gate },
    ...(truncated && {
      warnings: [
        {
          code: 'summary-cut-short',
          message: 'The summariser ran out of output tokens; the end of its summary is missing.',
        },
      ],
    }),
  }
}

function failed(summary: SummaryReport): StageOutput {
  return { edits: [], summary }
}

/**
 * Everything droppable before the recent part, and the summaries there, which the new one merges.
 * The recent part is the newest `keepRecentRatio` of the target and begins between two groups.
 */
function selectCovered(input: StageInput): Entry[] {
  const { transcript, state, protection, groups } = input
  const { entries } = transcript
  const recentBudget = Math.floor(input.target * input.options.summarize.keepRecentRatio)
  let split = entries.length
  let tokens = 0
  while (split > 0) {
    tokens += state.tokensOf(split - 1)
    if (tokens > recentBudget) break
    split -= 1
  }
  const mayGo = (index: number): boolean =>
    protection.level(index) === 'free' || protection.reason(index) === 'summary'
  // Judged once for each group: what goes, goes whole.
  const covered = new Set<number>()
  for (const members of groups.members.values()) {
    const last = members[members.length - 1] ?? 0
    if (last >= split || !members.every(mayGo)) continue
    for (const index of members) if (state.isAlive(index)) covered.add(index)
  }
  return entries.filter((entry) => covered.has(entry.index))
}

interface Written {
  readonly last: SummarizeResult
  readonly rounds: number
  readonly latencyMs: number
}

async function write(
  messages: readonly Entry[],
  previous: string | undefined,
  port: SummarizePort,
  ports: Ports,
): Promise<Written> {
  const window = port.maxInputTokens - ports.countTokens(summaryInstructions(true))
  let soFar = previous === undefined ? undefined : fitPrevious(previous, window, ports)
  const budget = Math.floor((window - (soFar?.tokens ?? 0)) * 0.8)
  let last: SummarizeResult = { ok: false, failure: 'max-tokens-exceeded', latencyMs: 0 }
  if (budget < MIN_ROUND_TOKENS) return { last, rounds: 0, latencyMs: 0 }
  let rounds = 0
  let latencyMs = 0
  for (const round of planRounds(messages, budget, ports.countTokens)) {
    if (ports.modelSignal.aborted) {
      return { last: { ok: false, failure: 'deadline', latencyMs: 0 }, rounds, latencyMs }
    }
    if (last.ok) soFar = fitPrevious(last.text.trim(), window, ports)
    rounds += 1
    last = await callSummarizer(
      port,
      summaryInstructions(soFar !== undefined),
      roundInput(soFar?.text, round),
      ports,
    )
    latencyMs += last.latencyMs
    // The next round would build on nothing; the checks refuse this one.
    if (!last.ok || findTextFault(last) !== undefined) break
  }
  return { last, rounds, latencyMs }
}

/** The summary so far, within its share of the window: its end, with the constraints, stays. */
function fitPrevious(summary: string, window: number, ports: Ports): Rendered {
  const most = Math.floor(window * PREVIOUS_SUMMARY_SHARE)
  // No text has so few tokens to its characters: what is surely too long is not counted whole.
  const text = headAndTail(summary, most * MAX_CHARACTERS_PER_TOKEN)
  const tokens = ports.countTokens(text)
  if (tokens <= most) return { text, tokens }
  return { text: shortenToTokens(text, tokens, most, ports.countTokens) ?? '', tokens: most }
}

async function callSummarizer(
  port: SummarizePort,
  instructions: string,
  input: string,
  ports: Ports,
): Promise<SummarizeResult> {
  try {
    return await port.summarize({ instructions, input, signal: ports.modelSignal })
  } catch {
    const failure = ports.modelSignal.aborted ? 'deadline' : 'error'
    return { ok: false, failure, latencyMs: 0 }
  }
}

export function summaryBody(entry: Entry): string {
  const text = entryText(entry)
  return text.startsWith(SUMMARY_PREFIX) ? text.slice(SUMMARY_PREFIX.length) : text
}

function dropCovered(entry: Entry): Edit {
  const reason = entry.flags.marker === true ? 'superseded-marker' : 'summarized'
  return { op: 'drop', entry: entry.index, reason }
}

/** Messages that the summary stands for; a marker is none, but stands for those that it counts. */
function countCovered(covered: readonly Entry[]): number {
  return covered.reduce(
    (sum, { flags }) => sum + (flags.marker === true ? (flags.markerCount ?? 0) : 1),
    0,
  )
}

function insertionOf(covered: readonly Entry[], text: string): Insertion {
  const messages = covered.filter((entry) => entry.flags.marker !== true)
  const first = messages[0]
  const last = messages[messages.length - 1]
  return {
    kind: 'summary',
    before: covered[0]?.index ?? 0,
    role: 'user',
    text,
    covers: countCovered(covered),
    ...(first?.id !== undefined && { coversFrom: first.id }),
    ...(last?.id !== undefined && { coversTo: last.id }),
  }
}
