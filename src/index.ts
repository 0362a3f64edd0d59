/**
 * The library: the engine in process.
 *
 *     import { compact, check, budget } from 'precis'
 *
 *     const { messages, fits } = await compact({ messages: history, targetTokens: 20_000 })
 */
import type { BudgetResult } from './conversation/budget-conversation.ts'
import type { BudgetInput, CompactInput } from './library/conversation-types.ts'
import {
  type Compacted,
  createPrecis,
  type Precis,
  type RunOptions,
} from './library/create-precis.ts'

let shared: Precis | undefined

/** `createPrecis().compact` of one instance with the defaults, made when it is first needed. */
export function compact<Input extends CompactInput>(
  request: Input,
  run?: RunOptions,
): Promise<Compacted<Input>> {
  shared ??= createPrecis()
  return shared.compact(request, run)
}

/** `createPrecis().budget` of the same instance. */
export function budget(
  request: BudgetInput,
  run?: Pick<RunOptions, 'modelSignal'>,
): Promise<BudgetResult> {
  shared ??= createPrecis()
  return shared.budget(request, run)
}

export type { BudgetResult } from './conversation/budget-conversation.ts'
export type { CheckResult } from './conversation/check-conversation.ts'
export { type ErrorCode, type Fault, PrecisError } from './engine/errors.ts'
export type { OptionOverrides, ProfileName, StageName } from './engine/options.ts'
export type { DecidePort, StageObserver, SummarizePort } from './engine/ports.ts'
export { FORMAT_IDS, type FormatId, type Violation } from './formats/adapter.ts'
export { check } from './library/check.ts'
export type {
  BudgetInput,
  CheckInput,
  CompactInput,
  Conversation,
} from './library/conversation-types.ts'
export {
  type Compacted,
  createPrecis,
  type Precis,
  type PrecisOptions,
  type RunOptions,
} from './library/create-precis.ts'
