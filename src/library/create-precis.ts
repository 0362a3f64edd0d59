/** The engine in this process, with all formats and counters: no service and no network. */

import { BudgetBodySchema } from '../contract/budget.ts'
import { CompactBodySchema } from '../contract/compact.ts'
import { type BudgetResult, budgetConversation } from '../conversation/budget-conversation.ts'
import { type CompactAnswer, compactAnswer } from '../conversation/compact-answer.ts'
import { compactRecorded } from '../conversation/compact-recorded.ts'
import type { BudgetRequest, CompactRequest } from '../conversation/request.ts'
import type { ConversationServices } from '../conversation/services.ts'
import { DEFAULT_LOW_WATER } from '../conversation/steps/settings.ts'
import { createStepMemo } from '../conversation/steps/step-memo.ts'
import { createEmbeddedDecider } from '../decide/embedded/embedded-decider.ts'
import type { OptionOverrides, ProfileName } from '../engine/options.ts'
import type { DecidePort, StageObserver, SummarizePort } from '../engine/ports.ts'
import { createStageTimer, observeBoth } from '../telemetry/stage-timer.ts'
import { createTokenCounters } from '../tokens/token-counter.ts'
import { createWindowTable, type WindowLimits } from '../tokens/windows.ts'
import type { BudgetInput, CompactInput, ReturnedConversation } from './conversation-types.ts'
import { requestValidator } from './request-validator.ts'

export interface PrecisOptions {
  /** Judges relevance, summaries and scope. Unset: the embedded model; null: none. */
  readonly decide?: DecidePort | null
  /** Writes summaries. Unset: none are written. */
  readonly summarize?: SummarizePort
  /** Profile of requests that name none. Default `neurolink`. */
  readonly profile?: ProfileName
  /** Options of requests that do not set them. */
  readonly options?: OptionOverrides
  /** Windows of models, over the built-in table. */
  readonly modelWindows?: Readonly<Record<string, WindowLimits>>
  /** Bound of the cache of token counts, in bytes. Default 16 MiB; 0 switches it off. */
  readonly countCacheBytes?: number
  /** Bound of what is remembered of compactions in steps, in bytes. Default 16 MiB; 0 switches it off. */
  readonly stepMemoBytes?: number
  /** Most messages of one conversation. Default 1,000,000. */
  readonly maxMessages?: number
}

export interface RunOptions {
  /** Ends the run, which then rejects with PrecisError('client-closed-request'). */
  readonly signal?: AbortSignal
  /** Ends what models are asked; the run goes on without them. Aborts with `signal` too. */
  readonly modelSignal?: AbortSignal
  /** Told of each stage as it starts and ends. */
  readonly observer?: StageObserver
}

export interface Precis {
  /**
   * The conversation made smaller, under the name it came under, with the report. Messages that no
   * decision names are the very same objects, and the input is never changed.
   *
   * @throws PrecisError for settings and conversations that break a rule; its `faults` name the places
   */
  readonly compact: <Input extends CompactInput>(
    request: Input,
    run?: RunOptions,
  ) => Promise<Compacted<Input>>
  /** How many tokens the history may take, each number with its source. Throws likewise. */
  readonly budget: (
    request: BudgetInput,
    run?: Pick<RunOptions, 'modelSignal'>,
  ) => Promise<BudgetResult>
}

export type Compacted<Input> = Report & ReturnedConversation<Input>

/** The answer without the conversation. */
type Report = { readonly [Name in keyof CompactAnswer as KnownName<Name>]: CompactAnswer[Name] }

type KnownName<Name> = string extends Name ? never : Name

const DEFAULT_CACHE_BYTES = 16 * 1024 * 1024
const DEFAULT_STEP_MEMO_BYTES = 16 * 1024 * 1024
const DEFAULT_MAX_MESSAGES = 1_000_000

export function createPrecis(options: PrecisOptions = {}): Precis {
  const services = createServices(options)
  const validateCompact = requestValidator(CompactBodySchema)
  const validateBudget = requestValidator(BudgetBodySchema)
  return {
    compact: async <Input extends CompactInput>(request: Input, run: RunOptions = {}) => {
      validateCompact(request)
      const timer = createStageTimer()
      const { signal = new AbortController().signal, observer } = run
      const result = await compactRecorded(request as CompactRequest, services, {
        signal,
        modelSignal: run.modelSignal === undefined ? signal : either(signal, run.modelSignal),
        observer: observer === undefined ? timer : observeBoth(observer, timer),
      })
      return compactAnswer(result, timer) as unknown as Compacted<Input>
    },
    budget: async (request, { modelSignal = new AbortController().signal } = {}) => {
      validateBudget(request)
      return budgetConversation(request as BudgetRequest, services, { modelSignal })
    },
  }
}

const either = (one: AbortSignal, other: AbortSignal): AbortSignal => AbortSignal.any([one, other])

function createServices(options: PrecisOptions): ConversationServices {
  const { decide, modelWindows } = options
  return {
    counters: createTokenCounters({ cacheBytes: options.countCacheBytes ?? DEFAULT_CACHE_BYTES }),
    windows: createWindowTable(modelWindows === undefined ? {} : { overrides: modelWindows }),
    decide: decide === null ? undefined : (decide ?? createEmbeddedDecider()),
    summarize: options.summarize,
    defaultProfile: options.profile ?? 'neurolink',
    defaultOptions: options.options,
    lowWater: DEFAULT_LOW_WATER,
    stepMemo: createStepMemo(options.stepMemoBytes ?? DEFAULT_STEP_MEMO_BYTES),
    maxMessages: options.maxMessages ?? DEFAULT_MAX_MESSAGES,
  }
}
