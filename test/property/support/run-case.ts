import {
  type CompactResult,
  compactConversation,
} from '../../../src/conversation/compact-conversation.ts'
import type { CompactRequest, ConversationMembers } from '../../../src/conversation/request.ts'
import type { ConversationServices } from '../../../src/conversation/services.ts'
import { DEFAULT_LOW_WATER } from '../../../src/conversation/steps/settings.ts'
import { createStepMemo } from '../../../src/conversation/steps/step-memo.ts'
import { createTokenCounters, type TokenCounters } from '../../../src/tokens/token-counter.ts'
import { createWindowTable } from '../../../src/tokens/windows.ts'
import type { ConversationPayload } from '../../helpers/arbitraries/index.ts'
import { conversationListOf, listMemberOf } from '../../helpers/wire-rules/index.ts'
import { asRecord } from '../../helpers/wire-rules/json.ts'
import type { CompactionCase, TargetSketch } from './compaction-case.ts'
import { createDecide, type Judgement } from './scripted-decide.ts'
import { createSummarize } from './scripted-summarize.ts'

/** One cache for a whole file, as a process has. */
const sharedCounters = createTokenCounters({ cacheBytes: 8 * 1024 * 1024 })
const windows = createWindowTable()

/** More than any conversation here has, so that nothing is done. */
const NO_TARGET = 1_000_000_000

export interface Run {
  readonly request: CompactRequest
  readonly result: CompactResult
  readonly report: CompactResult['report']
  readonly input: ConversationPayload
  /** The posted members with the returned conversation. */
  readonly output: ConversationPayload
  /** The messages of `input`, and those of `output`. */
  readonly posted: readonly unknown[]
  readonly returned: readonly unknown[]
  readonly judgements: readonly Judgement[]
}

export function createServices(
  ports: Pick<ConversationServices, 'decide' | 'summarize'>,
  counters: TokenCounters = sharedCounters,
): ConversationServices {
  return {
    counters,
    windows,
    ...ports,
    defaultProfile: 'neurolink',
    defaultOptions: undefined,
    lowWater: DEFAULT_LOW_WATER,
    stepMemo: createStepMemo(0),
    maxMessages: 100_000,
  }
}

/** Nobody goes away, and no model takes too long. */
export function unhurried() {
  const { signal } = new AbortController()
  return { signal, modelSignal: signal }
}

const MEMBERS = [
  'messages',
  'input',
  'contents',
  'system',
  'instructions',
  'systemInstruction',
  'system_instruction',
  'tools',
  'model',
] as const

/** The members of a payload that a request takes. */
export function membersOf(payload: ConversationPayload): ConversationMembers {
  // The AI SDK has its tools in an object, beside the code that runs them; what is posted is a list.
  const isPosted = (name: string) => name !== 'tools' || Array.isArray(payload[name])
  const members = MEMBERS.filter((name) => payload[name] !== undefined && isPosted(name))
  return Object.fromEntries(members.map((name) => [name, payload[name]]))
}

/** The request of a case without its target. */
export function requestOf(sketch: CompactionCase): CompactRequest {
  const { format, payload, profile, options, currentRequest } = sketch
  return {
    ...membersOf(payload),
    format,
    profile,
    options,
    pins: pinsOf(sketch),
    ...(currentRequest !== undefined && { currentRequest }),
  }
}

/** The pinned messages by number, or by id where they have one and the number is even. */
function pinsOf({ pins, payload }: CompactionCase): (number | string)[] {
  const items = conversationListOf(payload)
  return pins.map((pin) => {
    const index = pin % items.length
    const { id, type } = asRecord(items[index])
    // The local shell's output bears the id of what it answers.
    if (type === 'local_shell_call_output') return index
    return typeof id === 'string' && pin % 2 === 0 ? id : index
  })
}

/** Numbers of the messages that the caller pins. */
export function pinnedIndexes({ pins, payload }: CompactionCase): number[] {
  const { length } = conversationListOf(payload)
  return pins.map((pin) => pin % length)
}

export async function runCase(
  sketch: CompactionCase,
  over: Partial<CompactRequest> = {},
  counters: TokenCounters = sharedCounters,
): Promise<Run> {
  const request = { ...requestOf(sketch), targetTokens: await targetOf(sketch), ...over }
  return runRequest(sketch, request, counters)
}

export async function runRequest(
  sketch: CompactionCase,
  request: CompactRequest,
  counters: TokenCounters = sharedCounters,
): Promise<Run> {
  const { port: decide, judgements } = createDecide(sketch.decide)
  const services = createServices(
    { decide, summarize: createSummarize(sketch.summarize) },
    counters,
  )
  const result = await compactConversation(request, services, unhurried())
  const input = sketch.payload
  const output = { ...input, [listMemberOf(input)]: result.conversation }
  return {
    request,
    result,
    report: result.report,
    input,
    output,
    posted: conversationListOf(input),
    returned: conversationListOf(output),
    judgements,
  }
}

/** The target that the sketch asks for, in tokens: at least 1, as a request must have. */
async function targetOf(sketch: CompactionCase): Promise<number> {
  const probe = await compactConversation(
    { ...requestOf(sketch), targetTokens: NO_TARGET },
    createServices({ decide: undefined, summarize: undefined }),
    unhurried(),
  )
  const wanted = tokensOf(sketch.target, probe.report.floor.tokens, probe.report.tokensBefore)
  // What an estimating counter takes off for safety is put on before.
  return Math.max(1, Math.ceil(wanted / (probe.budget.safetyFactor ?? 1)))
}

function tokensOf(target: TargetSketch, floor: number, whole: number): number {
  if (target.from === 'nothing') return Math.round(whole * target.ratio)
  return Math.round(floor + (whole - floor) * target.ratio) + target.nudge
}
