/** One step: decided, or recalled from an earlier turn. */
import { isEmptyPlan, type Plan } from '../../engine/edit.ts'
import type { JsonObject, JsonValue } from '../../engine/transcript.ts'
import { itemsOf } from '../../formats/conversation-list.ts'
import { withMember } from '../../formats/json.ts'
import { type EditedConversation, editConversation, type RunPorts } from '../edit-conversation.ts'
import { type ReadConversation, readAgain } from '../read-conversation.ts'
import type { ConversationServices } from '../services.ts'
import { cachedMessages } from './cached-prefix.ts'
import type { TakenStep } from './compose-report.ts'
import type { SteppedSettings } from './settings.ts'
import { firstKey, nextKey, planValue, type RememberedStep, type StepKey } from './step-memo.ts'
import { toRemember } from './step-report.ts'
import { type Slot, viewAfter } from './view.ts'

export interface StepAttempt {
  /** Undefined where nothing could be done. */
  readonly step: TakenStep | undefined
  /** What the engine made of it; undefined for a step that was recalled. */
  readonly edited: EditedConversation | undefined
}

export interface StepInput {
  readonly slots: readonly Slot[]
  /** The slots that came since the last attempt. */
  readonly since: readonly Slot[]
  /** Whether the turn that is answered now is the one that is compacted for. */
  readonly isEnd: boolean
  /** Of each slot as JSON, where bytes are limited. */
  readonly byteSizes: readonly number[] | undefined
}

/** Takes the steps of one conversation, in their order. `posted`: its messages. */
export function createStepTaker(
  conversation: ReadConversation,
  posted: readonly JsonValue[],
  settings: SteppedSettings,
  services: ConversationServices,
  run: RunPorts,
): (input: StepInput) => Promise<StepAttempt> {
  const { adapter, payload } = conversation
  let key = firstKey(settingsOf(conversation, settings))

  const attempt = async (input: StepInput, pinned: number, at: StepKey): Promise<StepAttempt> => {
    const { slots, isEnd } = input
    const whole = isWhole(slots, posted)
    const before = whole ? payload : withMember(payload, adapter.list, slots.map(itemOf))
    const remembered = input.byteSizes === undefined ? services.stepMemo.get(at) : undefined
    const isVain = remembered !== undefined && isEmptyPlan(remembered.plan)
    // What the last turn cannot do has to be told in full.
    if (isVain && !(isEnd && pinned === 0)) return { step: undefined, edited: undefined }
    if (remembered !== undefined && !isVain) {
      const after = adapter.write(before, remembered.plan)
      return { step: stepOf(remembered, slots, after, true), edited: undefined }
    }
    const edited = await editConversation(
      whole ? conversation : readAgain(conversation, before),
      {
        target: settings.target,
        lowWater: settings.lowWater,
        options: settings.options,
        currentRequest: requestOf(settings, isEnd),
        pins: pinsOf(slots, settings.pins, pinned),
        frozen: Math.max(settings.frozen, pinned),
        explain: settings.explain === 'none' ? 'changed' : settings.explain,
        ...(input.byteSizes !== undefined && {
          bytes: { max: settings.bytes?.max ?? Number.POSITIVE_INFINITY, sizes: input.byteSizes },
        }),
      },
      services,
      run,
    )
    const { report } = edited
    if (report.outcome === 'unchanged' || isEmptyPlan(report.plan)) {
      return { step: undefined, edited }
    }
    const taken = { plan: report.plan, report }
    return { step: stepOf(taken, slots, edited.payload, false), edited }
  }

  const stepOf = (
    { plan, report }: RememberedStep,
    slots: readonly Slot[],
    after: JsonObject,
    recalled: boolean,
  ): TakenStep => ({
    slots,
    plan,
    report,
    view: viewAfter(slots, plan, itemsOf(after, adapter.list)),
    recalled,
  })

  /** What was decided, or that it was in vain, so that no model is asked about that again either. */
  const remember = (at: StepKey, { step, edited }: StepAttempt, isVain: boolean): void => {
    const report = edited?.report
    if (report === undefined) return
    const plan = isVain || step === undefined ? NO_CHANGE : step.plan
    services.stepMemo.set(at, { plan, report: toRemember(report) })
  }

  return async (input) => {
    const cached = cachedMessages(input.slots.map(itemOf))
    const since = input.since.map(itemOf)
    const held = input.since.flatMap(({ origin }) =>
      origin !== undefined && settings.pins.has(origin) ? [origin] : [],
    )
    const request = requestOf(settings, input.isEnd) ?? null
    for (const pinned of cached > 0 ? [cached, 0] : [0]) {
      const at = nextKey(key, [...since, [pinned, request, held]])
      const taken = await attempt(input, pinned, at)
      const isLast = pinned === 0
      // What is cached is given up only where the target cannot be met with it.
      const isVain = !isLast && !(taken.step !== undefined && fits(taken.step, settings))
      if (input.byteSizes === undefined) remember(at, taken, isVain)
      if (isVain) continue
      key = taken.step === undefined ? at : nextKey(at, [planValue(taken.step.plan)])
      return taken
    }
    throw new RangeError('No attempt was made')
  }
}

const NO_CHANGE: Plan = { dropped: new Set(), replaced: new Map(), insertions: [] }

function itemOf({ item }: Slot): JsonValue {
  return item
}

/** Whether the slots are the posted conversation as it came. */
function isWhole(slots: readonly Slot[], posted: readonly JsonValue[]): boolean {
  return slots.length === posted.length && slots.every(({ item }, place) => item === posted[place])
}

/** What a step is for: the request of its time. What is given is the request of the last turn. */
function requestOf(settings: SteppedSettings, isEnd: boolean): string | null | undefined {
  const { currentRequest } = settings
  return isEnd || currentRequest === null ? currentRequest : undefined
}

/** The pins by place, and the first `count` places. */
function pinsOf(slots: readonly Slot[], pins: ReadonlySet<number>, count: number): Set<number> {
  const places = new Set<number>()
  for (const [place, { origin }] of slots.entries()) {
    if (place < count || (origin !== undefined && pins.has(origin))) places.add(place)
  }
  return places
}

function fits({ report }: TakenStep, { target }: SteppedSettings): boolean {
  return report.tokensAfter <= target
}

/** All that decides, but for the messages and the pins on them. */
function settingsOf(
  { adapter, payload }: ReadConversation,
  { target, lowWater, options, frozen, currentRequest }: SteppedSettings,
): JsonValue {
  const { [adapter.list]: _messages, ...beside } = payload
  return {
    format: adapter.id,
    beside,
    target,
    lowWater,
    options: options as unknown as JsonValue,
    frozen,
    judged: currentRequest !== null,
  }
}
