import type { Config } from './config.ts'
import {
  createConversationServices,
  type OwnedConversationServices,
} from './create-conversation-services.ts'
import { createInFlight, type InFlight } from './http/in-flight.ts'
import { createKeyRing, type KeyRing, type KeyRingOptions } from './http/key-ring.ts'
import { createMetrics, type Metrics } from './telemetry/metrics.ts'
import { showZeros } from './telemetry/zero-series.ts'
import { createWorkerPool, type WorkerPool } from './workers/worker-pool.ts'

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
  readonly keys: KeyRing
  /** Threads for large requests; undefined where all work is done on this one. */
  readonly workers: WorkerPool | undefined
  readonly phase: () => Phase
  readonly setPhase: (phase: Phase) => void
  readonly readiness: () => Readiness
}

/** Told of what happens to the file of keys beside any request: nothing of it is a secret. */
export type KeyListeners = Pick<KeyRingOptions, 'onFault' | 'onChange'>

export function createAppServices(config: Config, listeners: KeyListeners = {}): AppServices {
  const metrics = createMetrics()
  showZeros(metrics)
  const inFlight = createInFlight({
    maxRequests: config.limits.maxConcurrentRequests,
    maxBytes: config.limits.maxConcurrentBytes,
    smallBytes: config.workers.minBytes,
  })
  metrics.readHttpRequestsInFlight(inFlight.count)
  metrics.readHttpBytesInFlight(inFlight.bytes)
  metrics.readHttpRequestsLimit(() => config.limits.maxConcurrentRequests)
  metrics.readHttpBytesLimit(() => config.limits.maxConcurrentBytes)
  let phase: Phase = 'serving'
  return {
    metrics,
    conversation: createConversationServices(config, metrics),
    inFlight,
    keys: createKeyRing({
      keys: config.server.apiKeys,
      file: config.server.apiKeysFile,
      ...listeners,
    }),
    workers: config.workers.count === 0 ? undefined : createWorkerPool(config),
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
