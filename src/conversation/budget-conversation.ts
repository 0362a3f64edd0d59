/** The budget of a conversation, from what is posted and what the model's table knows. */
import {
  type Budget,
  CONTEXT_SCOPES,
  DEFAULT_COMPACTION_THRESHOLD,
  resolveBudget,
  resolveThreshold,
  type ScopeReading,
  type Sourced,
} from '../engine/budget.ts'
import type { Ports } from '../engine/ports.ts'
import type { CountTokens } from '../engine/transcript.ts'
import { entryTokens, type Transcript, type Warning } from '../engine/transcript.ts'
import { LIST_MEMBERS } from '../formats/conversation-list.ts'
import type { TokenCounter } from '../tokens/token-counter.ts'
import type { ModelWindow } from '../tokens/windows.ts'
import { askScope, type ScopeReport, scopeReport } from './context-scope.ts'
import { type CurrentRequest, locateCurrentRequest } from './current-request.ts'
import { readConversation } from './read-conversation.ts'
import type { BudgetFields, BudgetRequest, FileAttachment } from './request.ts'
import type { ConversationServices } from './services.ts'
import { describeCounter, type TokenizerReport } from './tokenizer-report.ts'

export interface Posted {
  /** Instructions inside and beside the messages. */
  readonly instructions: number
  readonly tools: number
  readonly framing: number
  readonly currentRequest: CurrentRequest
  /** All other messages. */
  readonly history: number
}

export function measurePosted(
  transcript: Transcript | undefined,
  currentRequest: CurrentRequest,
): Posted {
  if (transcript === undefined) {
    return { instructions: 0, tools: 0, framing: 0, currentRequest, history: 0 }
  }
  let inside = 0
  let others = 0
  for (const entry of transcript.entries) {
    if (entry.role === 'instructions') inside += entryTokens(entry)
    else others += entryTokens(entry)
  }
  const { beside } = transcript
  return {
    instructions: beside.instructionsTokens + inside,
    tools: beside.toolsTokens,
    framing: beside.framingTokens,
    currentRequest,
    history: others - (currentRequest.isPosted ? currentRequest.tokens : 0),
  }
}

export interface ResolvedBudget {
  readonly budget: Budget
  readonly warnings: readonly Warning[]
}

export function budgetOf(
  fields: BudgetFields,
  model: string | undefined,
  posted: Posted,
  counter: TokenCounter,
  services: Pick<ConversationServices, 'windows'>,
  reading: ScopeReading | undefined,
): ResolvedBudget {
  const warnings: Warning[] = []
  const known = services.windows.lookup(model)
  const contextWindow = resolveWindow(fields, known, warnings)
  const counting = counter.estimated ? 'estimated' : 'counted'
  if (
    fields.compactionThreshold !== undefined &&
    fields.compactionThreshold > DEFAULT_COMPACTION_THRESHOLD
  ) {
    warnings.push({
      code: 'threshold-lowered',
      message: `A threshold can only lower the default; ${DEFAULT_COMPACTION_THRESHOLD} is used.`,
      pointer: '/compactionThreshold',
    })
  }
  const budget = resolveBudget({
    contextWindow,
    maxOutputTokens: givenReserve(fields, known),
    threshold: resolveThreshold(fields.compactionThreshold, reading),
    instructions: posted.instructions + posted.framing,
    currentRequest: posted.currentRequest.tokens,
    tools: posted.tools,
    files: countFiles(fields.files, counter.countTokens, counting),
    history: posted.history,
    counting,
  })
  return { budget, warnings }
}

/** Most tokens of what is posted: the history's target, and all that is posted beside it. */
export function postedTarget(budget: Budget, posted: Posted): number {
  const besideHistory =
    posted.instructions +
    posted.framing +
    posted.tools +
    (posted.currentRequest.isPosted ? posted.currentRequest.tokens : 0)
  return budget.target.value + besideHistory
}

function resolveWindow(fields: BudgetFields, known: ModelWindow, warnings: Warning[]): Sourced {
  if (fields.contextWindow !== undefined) return { value: fields.contextWindow, source: 'request' }
  if (known.source === 'default') {
    warnings.push({
      code: 'unknown-context-window',
      message: `The model's context window is not known; ${known.contextWindow} tokens are assumed. Set contextWindow.`,
      pointer: '/model',
    })
  }
  return {
    value: known.contextWindow,
    source: known.source === 'override' ? 'configuration' : known.source,
  }
}

/** The built-in table tells what a model can write, which is far more than most answers take. */
function givenReserve(fields: BudgetFields, known: ModelWindow): Sourced | undefined {
  if (fields.maxOutputTokens !== undefined) {
    return { value: fields.maxOutputTokens, source: 'request' }
  }
  if (known.source !== 'override' || known.maxOutputTokens === undefined) return undefined
  return { value: known.maxOutputTokens, source: 'configuration' }
}

function countFiles(
  files: readonly FileAttachment[] = [],
  countTokens: CountTokens,
  counting: 'counted' | 'estimated',
): Sourced {
  let given = 0
  let value = 0
  for (const file of files) {
    if (typeof file === 'string') value += countTokens(file)
    else if ('tokens' in file) {
      value += file.tokens
      given += 1
    } else value += countTokens(file.text)
  }
  if (given === 0) return { value, source: counting }
  return { value, source: given === files.length ? 'request' : 'computed' }
}

export interface BudgetResult extends Budget {
  readonly format: string | null
  readonly tokenizer: TokenizerReport
  readonly scope: ScopeReport | null
  readonly scopes: typeof CONTEXT_SCOPES
  readonly warnings: readonly Warning[]
}

/** The whole arithmetic for a conversation that need not be posted: its parts default to nothing. */
export async function budgetConversation(
  request: BudgetRequest,
  services: ConversationServices,
  ports: Pick<Ports, 'modelSignal' | 'modelDeadlineAt'>,
): Promise<BudgetResult> {
  const isPosted = LIST_MEMBERS.some((name) => (request[name]?.length ?? 0) > 0)
  const read = isPosted ? readConversation(request, services) : undefined
  const counter = read?.counter ?? services.counters.forModel(request.model)
  const current = locateCurrentRequest(
    read?.transcript,
    request.currentRequest,
    counter.countTokens,
  )
  const asked =
    current.text === undefined || request.compactionThreshold !== undefined
      ? undefined
      : await askScope(current.text, {
          modelSignal: ports.modelSignal,
          ...(ports.modelDeadlineAt !== undefined && { modelDeadlineAt: ports.modelDeadlineAt }),
          ...(services.decide !== undefined && { decide: services.decide }),
        })
  const posted = measurePosted(read?.transcript, current)
  const { budget, warnings } = budgetOf(
    request,
    request.model,
    posted,
    counter,
    services,
    asked?.reading,
  )
  return {
    ...budget,
    format: read?.adapter.id ?? null,
    tokenizer: describeCounter(counter),
    scope: asked === undefined ? null : scopeReport(asked, budget),
    scopes: CONTEXT_SCOPES,
    warnings: [...(read?.transcript.warnings ?? []), ...warnings],
  }
}
