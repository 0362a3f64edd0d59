/** The engine's one entry point: a transcript and a target in, a plan and its explanation out. */
import { countDrops, type Explain, listActions } from './actions.ts'
import { isEmptyPlan } from './edit.ts'
import { computeByteFloor, computeFloor } from './floor.ts'
import { closeLinks } from './groups.ts'
import { markerText } from './marker.ts'
import { type CompactionOptions, STAGE_NAMES } from './options.ts'
import { runPipeline } from './pipeline.ts'
import type { Ports } from './ports.ts'
import { protect, spokenText } from './protection.ts'
import type { CompactionReport, Floor, StageReport } from './report.ts'
import { createState } from './state.ts'
import type { Transcript, Warning } from './transcript.ts'

export interface CompactInput {
  readonly transcript: Transcript
  /** Most tokens that the whole posted conversation may have. A finite number > 0. */
  readonly target: number
  /**
   * Where the target is exceeded, go on below it: to this share of what lies between the floor and
   * the target, 0 to 1. The conversation can then grow before it has to be compacted again. Default 1.
   */
  readonly lowWater?: number
  readonly options: CompactionOptions
  /**
   * What the next answer is about. Undefined: the last message in which the user says something;
   * null: not known, so that nothing is judged by it.
   */
  readonly currentRequest: string | null | undefined
  /** Entry numbers that the caller pins. */
  readonly pins: ReadonlySet<number>
  /** So many of the first entries stay as they are, markers among them. Default 0. */
  readonly frozen?: number
  readonly explain: Explain
  /** Limits the conversation's bytes as well. */
  readonly bytes?: ByteLimit
}

export interface ByteLimit {
  readonly max: number
  /** Bytes of each entry as JSON, with what stands between it and the next. */
  readonly sizes: readonly number[]
}

export async function compact(input: CompactInput, ports: Ports): Promise<CompactionReport> {
  const { transcript, target, options } = input
  const groups = closeLinks(transcript)
  const protection = protect({
    transcript,
    groups,
    protectRecent: options.protectRecent,
    pins: input.pins,
    ...(input.frozen !== undefined && { frozen: input.frozen }),
  })
  const maxBytes = input.bytes?.max ?? Number.POSITIVE_INFINITY
  const state = createState(transcript, input.bytes?.sizes)
  const tokensBefore = state.total
  const bytesBefore = state.bytes
  const markerTokens = largestMarkerTokens(transcript, ports)
  const floor = computeFloor(transcript, protection, markerTokens)
  const shared = {
    transcript,
    groups,
    protection,
    options,
    target: tokensBefore > target ? lowered(target, floor.tokens, input.lowWater ?? 1) : target,
    maxBytes,
    markerTokens,
    floorTokens: floor.tokens,
  }

  const floorBytes = input.bytes === undefined ? 0 : computeByteFloor(protection, state, transcript)
  const tokensReach = floor.tokens <= target || tokensBefore <= target
  const bytesReach = floorBytes <= maxBytes || bytesBefore <= maxBytes
  const pipeline =
    tokensReach && bytesReach
      ? await runPipeline(
          { ...shared, state, currentRequest: requestText(input, protection.currentRequest) },
          ports,
        )
      : {
          stages: skipAll(options, tokensBefore),
          why: new Map(),
          needed: new Map(),
          probabilities: [],
          warnings: [
            ...(tokensReach ? [] : [unreachable(target, floor)]),
            ...(bytesReach ? [] : [unreachableBytes(maxBytes, floorBytes)]),
          ],
        }

  const plan = state.plan()
  const fits = state.total <= target && state.bytes <= maxBytes
  return {
    outcome: isEmptyPlan(plan) ? 'unchanged' : fits ? 'compacted' : 'partial',
    fits,
    stagesUsed: pipeline.stages
      .filter((stage) => stage.status === 'applied')
      .map((stage) => stage.stage),
    tokensBefore,
    tokensAfter: state.total,
    target,
    bytes:
      input.bytes === undefined
        ? undefined
        : { max: maxBytes, before: bytesBefore, after: state.bytes, floor: floorBytes },
    floor,
    stages: pipeline.stages,
    ...('relevance' in pipeline && { relevance: pipeline.relevance }),
    ...('summary' in pipeline && { summary: pipeline.summary }),
    drops: countDrops(plan, pipeline.why),
    probabilities: pipeline.probabilities,
    actions: listActions({ transcript, state, protection, pipeline, plan, explain: input.explain }),
    warnings: [...transcript.warnings, ...pipeline.warnings],
    plan,
  }
}

/** Never below the floor, which nothing can go below. */
function lowered(target: number, floor: number, lowWater: number): number {
  if (lowWater >= 1 || floor >= target) return target
  return floor + Math.floor((target - floor) * Math.max(0, lowWater))
}

function requestText(input: CompactInput, lastUserEntry: number | undefined): string | undefined {
  if (input.currentRequest === null) return undefined
  if (input.currentRequest !== undefined) return input.currentRequest
  const entry = lastUserEntry === undefined ? undefined : input.transcript.entries[lastUserEntry]
  return entry === undefined ? undefined : spokenText(entry)
}

/** A target below the floor cannot be met, so nothing is destroyed on the way to not meeting it. */
function skipAll(options: CompactionOptions, tokens: number): StageReport[] {
  return STAGE_NAMES.map((stage) => ({
    stage,
    ...(options[stage].enabled
      ? { status: 'skipped' as const, reason: 'floor-above-target' }
      : { status: 'disabled' as const }),
    tokensBefore: tokens,
    tokensAfter: tokens,
    dropped: 0,
    rewritten: 0,
  }))
}

function unreachable(target: number, floor: Floor): Warning {
  return {
    code: 'budget-unreachable',
    message: `What is pinned needs ${floor.tokens} tokens, more than the target of ${target}; nothing was changed.`,
  }
}

function unreachableBytes(maxBytes: number, floor: number): Warning {
  return {
    code: 'byte-budget-unreachable',
    message: `What is pinned takes ${floor} bytes, more than the limit of ${maxBytes}; nothing was changed.`,
  }
}

/** Digits decide a marker's size, so the largest count that could be written bounds it. */
function largestMarkerTokens(transcript: Transcript, ports: Ports): number {
  let count = transcript.entries.length
  for (const entry of transcript.entries) count += entry.flags.markerCount ?? 0
  let largest = 0
  for (let digits = '9'; ; digits += '9') {
    largest = Math.max(largest, ports.countInsertion(markerText(Number(digits))))
    if (digits.length >= String(count).length) return largest
  }
}
