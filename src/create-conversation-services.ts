import type { Config } from './config.ts'
import type { ConversationServices } from './conversation/services.ts'
import { createRemoteDecider, type RemoteDecider } from './decide/decider.ts'
import { createEmbeddedDecider } from './decide/embedded/embedded-decider.ts'
import { openaiDecisionsWire } from './decide/wires/openai-decisions.ts'
import { systemOneWire } from './decide/wires/systemone.ts'
import type { Wire } from './decide/wires/wire.ts'
import type { DecidePort } from './engine/ports.ts'
import type { OutboundObserver } from './outbound/outbound.ts'
import { summarizerEndpoint } from './summarizer/endpoint.ts'
import { createSummarizer, type Summarizer } from './summarizer/summarizer.ts'
import type { WireLabel } from './telemetry/labels.ts'
import { BREAKER_STATES, type Metrics } from './telemetry/metrics.ts'
import { createTokenCounters } from './tokens/token-counter.ts'
import { createWindowTable } from './tokens/windows.ts'

/** Longest summary that is asked for, in tokens; a reasoning model spends its thoughts from it too. */
const MAX_SUMMARY_TOKENS = 8_192

/** Model that is asked for where the configuration names none: the wire's documented alias. */
const WIRES: Readonly<Record<Exclude<WireLabel, 'embedded'>, { wire: Wire; model: string }>> = {
  systemone: { wire: systemOneWire, model: 'jev-latest' },
  'openai-decisions': { wire: openaiDecisionsWire, model: 'gpt-6-luna' },
}

export interface OwnedConversationServices extends ConversationServices {
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
  const summarize = createSummarize(config)
  return {
    counters,
    windows: createWindowTable({ overrides: config.tokens.modelWindows }),
    decide: decide && observed(decide, metrics),
    summarize,
    defaultProfile: config.compaction.defaultProfile,
    defaultOptions: config.compaction.options,
    maxMessages: config.limits.maxMessages,
    close: async () => {
      if (decide !== undefined && 'close' in decide) await decide.close()
      await summarize?.close()
    },
  }
}

function createDecide(
  config: Config,
  metrics: Metrics,
  countTokens: (text: string) => number,
): DecidePort | RemoteDecider | undefined {
  const { wire: name, url, apiKey, model, timeoutMs, maxConcurrency } = config.decide
  if (name === 'none') return undefined
  if (name === 'embedded' || url === undefined) return createEmbeddedDecider()
  const { wire, model: usual } = WIRES[name]
  const observer: OutboundObserver = {
    onBreaker: (state) => metrics.decideBreakerState.set({ wire: name }, BREAKER_STATES[state]),
  }
  metrics.decideBreakerState.set({ wire: name }, BREAKER_STATES.closed)
  return createRemoteDecider({
    wire,
    url,
    model: model ?? usual,
    timeoutMs,
    maxConcurrency,
    countTokens,
    observer,
    ...(apiKey !== undefined && { apiKey }),
  })
}

/** Counts and times every decision, whatever site asked for it. */
function observed(decide: DecidePort, metrics: Metrics): DecidePort {
  return {
    traits: decide.traits,
    decide: async (request) => {
      const result = await decide.decide(request)
      const wire = decide.traits.wire as WireLabel
      metrics.decideRequests.inc({ wire, result: result.failure ?? 'answered' })
      metrics.decideLatency.observe({ wire }, result.latencyMs / 1_000)
      return result
    },
  }
}

function createSummarize(config: Config): Summarizer | undefined {
  const { dialect, url, apiKey, model, timeoutMs, maxInputTokens } = config.summarizer
  if (dialect === 'none' || url === undefined || model === undefined) return undefined
  return createSummarizer({
    dialect,
    url: summarizerEndpoint(dialect, url),
    model,
    timeoutMs,
    maxInputTokens,
    maxOutputTokens: MAX_SUMMARY_TOKENS,
    ...(apiKey !== undefined && { apiKey }),
  })
}
