import type { Config } from './config.ts'
import type { ConversationServices } from './conversation/services.ts'
import { createStepMemo } from './conversation/steps/step-memo.ts'
import { createDecide } from './create-decide.ts'
import { redactSummarize } from './redaction/redacted-ports.ts'
import { summarizerEndpoint } from './summarizer/endpoint.ts'
import { createSummarizer, type Summarizer } from './summarizer/summarizer.ts'
import { BREAKER_STATES, type Metrics } from './telemetry/metrics.ts'
import { createTokenCounters } from './tokens/token-counter.ts'
import { createWindowTable } from './tokens/windows.ts'

/** Longest summary that is asked for, in tokens; a reasoning model spends its thoughts from it too. */
const MAX_SUMMARY_TOKENS = 8_192

export interface OwnedConversationServices extends ConversationServices {
  /** Rejects where what is configured cannot run on this machine; for the start. */
  readonly ready: Promise<void>
  /** Ends what is still running outside; for shutdown. */
  readonly close: () => Promise<void>
}

/** What working on conversations takes, made from the configuration alone. */
export function createConversationServices(
  config: Config,
  metrics: Metrics,
): OwnedConversationServices {
  const counters = createTokenCounters({ cacheBytes: config.tokens.cacheBytes })
  metrics.readCountCacheHits(() => counters.stats().hits)
  metrics.readCountCacheMisses(() => counters.stats().misses)
  metrics.readCountCacheBytes(() => counters.stats().bytes)
  const decide = createDecide(config, metrics, counters.forModel(undefined).countTokens)
  const summarize = createSummarize(config, metrics)
  return {
    counters,
    windows: createWindowTable({ overrides: config.tokens.modelWindows }),
    decide: decide.port,
    summarize: summarize !== undefined && config.redact ? redactSummarize(summarize) : summarize,
    defaultProfile: config.compaction.defaultProfile,
    defaultOptions: config.compaction.options,
    lowWater: config.compaction.lowWater,
    stepMemo: createStepMemo(config.compaction.stepMemoBytes),
    maxMessages: config.limits.maxMessages,
    ready: decide.ready,
    close: async () => {
      await decide.close()
      await summarize?.close()
    },
  }
}

function createSummarize(config: Config, metrics: Metrics): Summarizer | undefined {
  const { dialect, url, apiKey, model, timeoutMs, maxInputTokens } = config.summarizer
  if (dialect === 'none' || url === undefined || model === undefined) return undefined
  return createSummarizer({
    dialect,
    url: summarizerEndpoint(dialect, url),
    model,
    timeoutMs,
    maxInputTokens,
    maxOutputTokens: MAX_SUMMARY_TOKENS,
    observer: {
      onBreaker: (state) => metrics.summaryBreakerState.set({}, BREAKER_STATES[state]),
    },
    ...(apiKey !== undefined && { apiKey }),
  })
}
