import fc from 'fast-check'
import { compactConversation } from '../../../src/conversation/compact-conversation.ts'
import type { CompactRequest } from '../../../src/conversation/request.ts'
import type { ConversationServices } from '../../../src/conversation/services.ts'
import { createStepMemo, type StepMemo } from '../../../src/conversation/steps/step-memo.ts'
import { type ConversationPayload, itemsOf, withItems } from '../../helpers/arbitraries/index.ts'
import type { WireFormat } from '../../helpers/wire-rules/index.ts'
import { asRecord } from '../../helpers/wire-rules/json.ts'
import { type CompactionCase, compactionCase } from './compaction-case.ts'
import { createServices, pinnedIndexes, type Run, requestOf, unhurried } from './run-case.ts'
import { createDecide } from './scripted-decide.ts'
import { createSummarize } from './scripted-summarize.ts'

/** A conversation that a client posts again and again, with more of it each time. */
export interface SessionCase {
  /** The whole of it. What it says of the target is not used. */
  readonly sketch: CompactionCase
  /** Where the target of all turns lies: between the floor of the whole (0) and the whole (1). */
  readonly room: number
  readonly lowWater: number
}

export const sessionCase = (format: WireFormat, maxMessages = 36): fc.Arbitrary<SessionCase> =>
  fc.record({
    sketch: compactionCase(format, { minMessages: 12, maxMessages }).map(answeringAlike),
    room: fc.constantFrom(0.02, 0.1, 0.2, 0.3, 0.4, 0.6),
    lowWater: fc.constantFrom(0, 0.3, 0.5, 0.5, 0.7, 0.9, 1),
  })

/** The same session with much that a decide model may drop. */
export function judged(session: SessionCase): SessionCase {
  const { options } = session.sketch
  const relevance = { ...options.relevance, enabled: true, riskBudget: null, maxDropRatio: 0.7 }
  return {
    ...session,
    sketch: { ...session.sketch, currentRequest: undefined, options: { ...options, relevance } },
  }
}

/** The request of a step is the one of its time: what a caller gives is the last turn's alone. */
function answeringAlike(sketch: CompactionCase): CompactionCase {
  return typeof sketch.currentRequest === 'string'
    ? { ...sketch, currentRequest: undefined }
    : sketch
}

/** One request of the session, and what came of it. */
export interface Turn extends Run {
  /** Messages that it posts. */
  readonly count: number
  readonly steps: NonNullable<Run['result']['steps']>
}

export interface SessionSetup {
  readonly memo?: StepMemo
  readonly services?: ConversationServices
  /** What a turn asks for besides, and what the client does to the messages that it posts. */
  readonly over?: Partial<CompactRequest>
  readonly dress?: (items: readonly Record<string, unknown>[]) => Record<string, unknown>[]
}

export interface Session {
  readonly target: number
  readonly turns: readonly Turn[]
}

/** Posts all that there is at each point where a client asks for an answer, oldest first. */
export async function playSession(
  { sketch, room, lowWater }: SessionCase,
  { memo, over = {}, dress, ...setup }: SessionSetup = {},
): Promise<Session> {
  const { format, payload } = sketch
  const services = setup.services ?? servicesOf(sketch, memo)
  const items = itemsOf(payload)
  const whole = await compactConversation(
    { ...requestOf({ ...sketch, pins: [] }), targetTokens: 1_000_000_000 },
    createServices({ decide: undefined, summarize: undefined }),
    unhurried(),
  )
  const { floor, tokensBefore } = whole.report
  const wanted = floor.tokens + room * (tokensBefore - floor.tokens)
  // What an estimating counter takes off for safety is put on before.
  const targetTokens = Math.max(1, Math.ceil(wanted / (whole.budget.safetyFactor ?? 1)))
  const turns: Turn[] = []
  for (const count of turnsOf(format, items)) {
    const posted = items.slice(0, count)
    const input = withItems(payload, dress === undefined ? posted : dress(posted))
    const request: CompactRequest = {
      ...requestOf({ ...sketch, payload: input, pins: [] }),
      pins: pinnedIndexes(sketch).filter((index) => index < count),
      targetTokens,
      lowWater,
      ...over,
    }
    const result = await compactConversation(request, services, unhurried())
    if (result.steps === undefined) throw new Error('the run was not made in steps')
    const output = { ...input, [result.list]: result.conversation } as ConversationPayload
    turns.push({
      count,
      steps: result.steps,
      request,
      result,
      report: result.report,
      input,
      output,
      posted: itemsIn(input),
      returned: result.messages,
      judgements: [],
    })
  }
  return {
    target:
      whole.budget.safetyFactor === null
        ? targetTokens
        : Math.floor(targetTokens * whole.budget.safetyFactor),
    turns,
  }
}

/** The very messages, and not copies of them. */
function itemsIn(payload: ConversationPayload): readonly unknown[] {
  return itemsOf(payload)
}

export function servicesOf(
  { decide, summarize }: Pick<CompactionCase, 'decide' | 'summarize'>,
  memo: StepMemo = createStepMemo(0),
): ConversationServices {
  return {
    ...createServices({
      decide: createDecide(decide).port,
      summarize: createSummarize(summarize),
    }),
    stepMemo: memo,
  }
}

/** Numbers of messages after which it is the model's turn to speak. */
export function turnsOf(format: WireFormat, items: readonly unknown[]): number[] {
  return items.flatMap((item, index) => {
    if (isModels(format, item)) return []
    const next = items[index + 1]
    return next === undefined || isModels(format, next) ? [index + 1] : []
  })
}

const SETTINGS = ['additional_tools', 'configuration_update', 'compaction_trigger']

/** Whether a message or an item is the model's, by its wire. */
function isModels(format: WireFormat, item: unknown): boolean {
  const { role, type } = asRecord(item)
  switch (format) {
    case 'gemini':
      return role === 'model'
    case 'neurolink':
      return role === 'assistant' || role === 'tool_call'
    case 'openai-responses':
      if (type === undefined || type === 'message')
        return role === undefined || role === 'assistant'
      return (
        !/_output$|^mcp_approval_response$/.test(String(type)) && !SETTINGS.includes(String(type))
      )
    default:
      return role === 'assistant'
  }
}
