/**
 * Compaction of a history that its client posts whole on every turn, without ever having seen it
 * compacted. The history is gone through as it grew: at each point at which an answer was asked for
 * and the conversation had outgrown its target, it is compacted, down to the low-water mark and for
 * the request of that time, and what came after stands behind it as it came.
 *
 * What a turn sends follows from its messages alone, so that the next turn sends the same and more,
 * on whatever replica, until the target is outgrown again: the provider's prompt cache stays warm in
 * between. All that decides whether a step is taken lies before it, but for the last turn, which is
 * compacted whenever it is over its target; what the steps before it may cost is bounded (`MOST_WORK`).
 */
import type { CompactionReport } from '../../engine/report.ts'
import { entryTokens, type JsonValue } from '../../engine/transcript.ts'
import { itemsOf } from '../../formats/conversation-list.ts'
import { withMember } from '../../formats/json.ts'
import { jsonSize } from '../byte-sizes.ts'
import {
  type EditedConversation,
  editConversation,
  type RunPorts,
  verifyEdit,
} from '../edit-conversation.ts'
import type { ReadConversation } from '../read-conversation.ts'
import type { ConversationServices } from '../services.ts'
import { cachedMessages } from './cached-prefix.ts'
import { composeReport, type TakenStep } from './compose-report.ts'
import { requestPoints } from './request-points.ts'
import type { SteppedSettings } from './settings.ts'
import { createStepTaker } from './step-taker.ts'
import { type Slot, slotsOf } from './view.ts'

export interface StepCounts {
  /** Times that the history was compacted. */
  readonly taken: number
  /** Of these, remembered from an earlier turn. */
  readonly recalled: number
  /**
   * First messages that the caller asked the provider to cache, and whether all of them came back as
   * they were; null where nothing is marked.
   */
  readonly cached: { readonly messages: number; readonly kept: boolean } | null
}

export interface SteppedEdit extends EditedConversation {
  readonly steps: StepCounts
}

/**
 * What the steps before the last turn may cost in all, in times of what the whole history has cost to
 * read. Steps that free a twentieth of the target stay within it. Past it, steps are left out until
 * more of the history has come, so that no pins and no target make the work more than linear.
 */
const MOST_WORK = 32

/** What did not get there is likely not to get there next time: it counts as so many that did. */
const WORK_IN_VAIN = 4

export async function editInSteps(
  conversation: ReadConversation,
  settings: SteppedSettings,
  services: ConversationServices,
  run: RunPorts,
): Promise<SteppedEdit> {
  const { transcript, payload, adapter } = conversation
  const { beside, entries } = transcript
  const { target, bytes } = settings
  const items = itemsOf(payload, adapter.list)
  const takeStep = createStepTaker(conversation, items, settings, services, run)
  const steps: TakenStep[] = []
  let next = Math.min(settings.frozen, items.length)
  let view: readonly Slot[] = slotsOf(items, 0, next)
  let tokens = beside.instructionsTokens + beside.toolsTokens + beside.framingTokens
  let posted = tokens
  let counted = 0
  let work = 0
  let last: EditedConversation | undefined
  let inVain: EditedConversation['report'] | undefined
  for (const point of requestPoints(entries)) {
    for (const entry of entries.slice(counted, point + 1)) {
      tokens += entryTokens(entry)
      posted += entryTokens(entry)
    }
    counted = point + 1
    const isEnd = counted === entries.length
    if (!isEnd && (tokens <= target || counted <= next || work > MOST_WORK * posted)) continue
    const since = slotsOf(items, next, counted)
    const slots = [...view, ...since]
    next = counted
    const byteSizes = isEnd && bytes !== undefined ? sizesOf(slots, items, bytes.sizes) : undefined
    const isOver = tokens > target || (bytes !== undefined && sum(byteSizes ?? []) >= bytes.max)
    if (!isOver) {
      view = slots
      continue
    }
    const { step, edited } = await takeStep({ slots, since, isEnd, byteSizes })
    const before = tokens
    view = step?.view ?? slots
    tokens = step?.report.tokensAfter ?? tokens
    work += before * (tokens > target ? WORK_IN_VAIN : 1)
    if (step !== undefined) steps.push(step)
    last = edited
    if (isEnd && step === undefined) inVain = edited?.report
  }
  const counts: StepCounts = {
    taken: steps.length,
    recalled: steps.filter(({ recalled }) => recalled).length,
    cached: compareCached(items, view),
  }
  if (steps.length === 0) {
    const edited = last ?? (await editConversation(conversation, settings, services, run))
    return { ...edited, steps: counts }
  }
  const report = composeReport({
    transcript,
    target,
    steps,
    inVain,
    view,
    tokensAfter: tokens,
    bytes: bytes && {
      max: bytes.max,
      before: 1 + sum(bytes.sizes),
      after: 1 + sum(sizesOf(view, items, bytes.sizes)),
      floor: last?.report.bytes?.floor ?? 0,
    },
    explain: settings.explain,
    protectRecent: settings.options.protectRecent,
    pins: settings.pins,
    frozen: settings.frozen,
  })
  const edited = withMember(
    payload,
    adapter.list,
    view.map(({ item }) => item),
  )
  return {
    ...verifyEdit(conversation, edited, withCacheWarning(report, counts.cached)),
    steps: counts,
  }
}

function withCacheWarning(
  report: CompactionReport,
  cached: StepCounts['cached'],
): CompactionReport {
  if (cached?.kept !== false) return report
  const warning = {
    code: 'cached-prefix-changed',
    message: `The first ${cached.messages} messages are marked to be cached, and the target could not be met without changing them.`,
  }
  return { ...report, warnings: [...report.warnings, warning] }
}

/** Of each slot as JSON: what was posted as it was posted. */
function sizesOf(
  slots: readonly Slot[],
  items: readonly JsonValue[],
  posted: readonly number[],
): number[] {
  return slots.map(({ item, origin }) =>
    origin !== undefined && item === items[origin] ? (posted[origin] ?? 0) : jsonSize(item) + 1,
  )
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function compareCached(items: readonly JsonValue[], view: readonly Slot[]): StepCounts['cached'] {
  const messages = cachedMessages(items)
  if (messages === 0) return null
  return {
    messages,
    kept: items.slice(0, messages).every((item, index) => item === view[index]?.item),
  }
}
