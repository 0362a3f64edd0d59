import type { RemoteLinkConfig } from './config/decide-link.ts'
import type { Config } from './config.ts'
import { createDecideChain } from './decide/chain.ts'
import { createRemoteDecider, type RemoteDecider } from './decide/decider.ts'
import { defaultEmbedder } from './decide/embedded/embed.ts'
import { createEmbeddedDecider } from './decide/embedded/embedded-decider.ts'
import { leaveTimeForSummary, RELEVANCE_SHARE } from './decide/link-deadline.ts'
import { type OwnedMinilm, openMinilm } from './decide/minilm/open-minilm.ts'
import { restrictSites } from './decide/restrict-sites.ts'
import { withVotes } from './decide/votes.ts'
import { MINILM } from './decide/wire-names.ts'
import { WIRE_TABLE } from './decide/wire-table.ts'
import type { DecidePort } from './engine/ports.ts'
import type { CountTokens } from './engine/transcript.ts'
import { workTimeMs } from './http/plugins/deadline.ts'
import { redactDecide } from './redaction/redacted-ports.ts'
import type { WireLabel } from './telemetry/labels.ts'
import { BREAKER_STATES, type Metrics } from './telemetry/metrics.ts'

export interface OwnedDecide {
  /** Undefined where deciding is switched off. */
  readonly port: DecidePort | undefined
  /** Rejects where a model in this process cannot run on this machine. */
  readonly ready: Promise<void>
  /** Ends what is still running outside. */
  readonly close: () => Promise<void>
}

/** The decide model, or the chain of them, that the configuration names. */
export function createDecide(
  config: Config,
  metrics: Metrics,
  countTokens: CountTokens,
): OwnedDecide {
  const remote: RemoteDecider[] = []
  const longestMs = longestCallMs(config)
  let minilm: OwnedMinilm | undefined
  const ports = config.decide.links.flatMap((link): DecidePort[] => {
    if (link.wire === 'embedded') {
      // Reads the table now, some 50 ms, rather than within the first request.
      defaultEmbedder()
      const fixed = observed(createEmbeddedDecider(), link.wire, metrics)
      if (link.minilm === undefined) return [fixed]
      minilm = openMinilm(link.minilm)
      return [observed(minilm.port, MINILM, metrics), fixed]
    }
    const decider = createRemote(link, longestMs, metrics, countTokens)
    remote.push(decider)
    const told = config.redact ? redactDecide(decider) : decider
    // Each vote is a call of its own, and is counted as one.
    return [withVotes(observed(told, link.wire, metrics))]
  })
  const [primary, ...others] = ports
  let port =
    others.length === 0 || primary === undefined ? primary : createDecideChain([primary, ...others])
  const { sites } = config.decide
  if (port !== undefined && sites !== undefined) port = restrictSites(port, sites)
  const takesTime = remote.length > 0 || minilm !== undefined
  const isShared = takesTime && config.summarizer.dialect !== 'none'
  if (port !== undefined && isShared) port = leaveTimeForSummary(port)
  return {
    port,
    ready: minilm?.ready ?? Promise.resolve(),
    close: async () => {
      await Promise.all([minilm?.close(), ...remote.map((decider) => decider.close())])
    },
  }
}

/** Most time that stage 0 gives one wire over HTTP: its share of what the models have. */
function longestCallMs({ limits, summarizer, decide }: Config): number {
  const remote = decide.links.filter(({ wire }) => wire !== 'embedded').length
  const share = summarizer.dialect === 'none' ? 1 : RELEVANCE_SHARE
  return (workTimeMs(limits.requestDeadlineMs) * share) / Math.max(1, remote)
}

function createRemote(
  link: RemoteLinkConfig,
  longestMs: number,
  metrics: Metrics,
  countTokens: CountTokens,
): RemoteDecider {
  const { wire, url, apiKey, model, timeoutMs, maxConcurrency, limits, settings } = link
  metrics.decideBreakerState.set({ wire }, BREAKER_STATES.closed)
  return createRemoteDecider({
    wire: WIRE_TABLE[wire].create(settings),
    url,
    model,
    timeoutMs,
    // A server that hangs has to open its breaker, however short the deadline is beside its timeout.
    longAttemptMs: Math.min(timeoutMs, longestMs) / 2,
    maxConcurrency,
    limits,
    countTokens,
    observer: {
      onBreaker: (state) => metrics.decideBreakerState.set({ wire }, BREAKER_STATES[state]),
    },
    ...(apiKey !== undefined && { apiKey }),
  })
}

/** Counts and times every call, whatever site asked for it and whichever place of a chain it has. */
function observed(decide: DecidePort, wire: WireLabel, metrics: Metrics): DecidePort {
  return {
    traits: decide.traits,
    decide: async (request) => {
      const result = await decide.decide(request)
      const outcome = result.abstained === true ? 'abstained' : 'answered'
      metrics.decideRequests.inc({ wire, result: result.failure ?? outcome })
      metrics.decideLatency.observe({ wire }, result.latencyMs / 1_000)
      return result
    },
  }
}
