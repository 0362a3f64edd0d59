/** From a posted conversation to the answer: read, resolve the budget, run, apply, check. */
import { resolveOptions } from '../engine/options.ts'
import type { CompactionReport } from '../engine/report.ts'
import type { JsonValue } from '../engine/transcript.ts'
import { itemsOf, type ListMember } from '../formats/conversation-list.ts'
import { byteSizes } from './byte-sizes.ts'
import { editConversation, type RunPorts } from './edit-conversation.ts'
import { resolvePins } from './pins.ts'
import { type ReadConversation, readConversation } from './read-conversation.ts'
import type { CompactRequest } from './request.ts'
import { resolveTarget, type Target } from './resolve-target.ts'
import type { ConversationServices } from './services.ts'
import { editInSteps, type StepCounts } from './steps/edit-in-steps.ts'
import { describeCounter, type TokenizerReport } from './tokenizer-report.ts'
import { type ListedViolations, listViolations } from './violations.ts'

export interface TargetReport extends Target {
  readonly floor: CompactionReport['floor']
}

/** `violations`: wire rules that the returned conversation breaks, and the posted one did. */
export interface CompactResult extends ListedViolations {
  readonly format: string
  readonly dryRun: boolean
  readonly tokenizer: TokenizerReport
  readonly budget: TargetReport
  readonly report: CompactionReport
  /** Of a run in steps. */
  readonly steps: StepCounts | undefined
  /** Member that holds the conversation. */
  readonly list: ListMember
  /** The conversation to send: the posted one itself where nothing changed, and in a dry run. */
  readonly conversation: JsonValue
  /** Its messages, items or contents. */
  readonly messages: readonly JsonValue[]
  /** Wire rules that the edited conversation would have broken; it was not returned. */
  readonly brokenRules: readonly string[]
}

export async function compactConversation(
  request: CompactRequest,
  services: ConversationServices,
  run: RunPorts,
): Promise<CompactResult> {
  const conversation = readConversation(request, services)
  const { adapter, counter, payload } = conversation
  const { target, warnings } = resolveTarget(request, conversation, services)
  const { steps, report, ...edited } = await runRequest(
    request,
    target.targetTokens.value,
    conversation,
    services,
    run,
  )
  const returned = request.dryRun === true ? payload : edited.payload
  return {
    format: adapter.id,
    dryRun: request.dryRun === true,
    tokenizer: describeCounter(counter),
    budget: { ...target, floor: report.floor },
    report: { ...report, warnings: [...warnings, ...report.warnings] },
    steps,
    list: adapter.list,
    conversation: returned[adapter.list] ?? [],
    messages: itemsOf(returned, adapter.list),
    ...listViolations(edited.violations, adapter),
    brokenRules: edited.brokenRules,
  }
}

async function runRequest(
  request: CompactRequest,
  target: number,
  conversation: ReadConversation,
  services: ConversationServices,
  run: RunPorts,
) {
  const { frozenMessages = 0, lowWater, maxBytes } = request
  const settings = {
    target,
    options: resolveOptions(
      request.profile ?? services.defaultProfile,
      services.defaultOptions,
      request.options,
    ),
    currentRequest: request.currentRequest,
    pins: resolvePins(request.pins, conversation.transcript),
    frozen: frozenMessages,
    explain: request.explain ?? 'changed',
    ...(maxBytes !== undefined && {
      bytes: { max: maxBytes, sizes: byteSizes(conversation, run.itemBytes) },
    }),
  } as const
  if (lowWater === undefined) {
    const edited = await editConversation(conversation, settings, services, run)
    return { ...edited, steps: undefined }
  }
  return editInSteps(conversation, { ...settings, lowWater }, services, run)
}
