import type { Config } from './config.ts'
import {
  createConversationServices,
  type OwnedConversationServices,
} from './create-conversation-services.ts'
import { createInFlight, type InFlight } from './http/in-flight.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import { showZeros } from './telemetry/zero-series.ts'

/**
 * `serving` takes work; `leaving` still takes it but says so on /readyz; `refusing` only finishes what
 * it has begun.
 */
export type Phase = 'serving' | 'leaving' | 'refusing'

export interface Readiness {
  readonly ready: boolean
  /** Stable words for why not; empty when ready. */
  readonly reasons: readonly string[]
}

/** What routes and plugins share. One per app: nothing of it is global to the process. */
export interface AppServices {
  readonly metrics: Metrics
  readonly conversation: OwnedConversationServices
  readonly inFlight: InFlight
  readonly phase: () => Phase
  readonly setPhase: (phase: Phase) => void
  readonly readiness: () => Readiness
}

export function createAppServices(config: Config): AppServices {
  const metrics = createMetrics()
  showZeros(metrics)
  const inFlight = createInFlight({
    maxRequests: config.limits.maxConcurrentRequests,
    maxBytes: config.limits.maxConcurrentBytes,
  })
  metrics.readHttpRequestsInFlight(inFlight.count)
  let phase: Phase = 'serving'
  return {
    metrics,
    conversation: createConversationServices(config, metrics),
    inFlight,
    phase: () => phase,
    setPhase(next) {
      phase = next
    },
    readiness: () => {
      return phase === 'serving'
        ? { ready: true, reasons: [] }
        : { ready: false, reasons: ['shutting-down'] }
    },
  }
}
