import type { AppServices } from './app-services.ts'
import type { Config } from './config.ts'
import { createJsonDecoder } from './http/body/decode-json.ts'
import type { ProxyRoutesOptions } from './http/routes/proxy.ts'
import { createUpstreams } from './proxy/create-upstreams.ts'
import { UPSTREAM_NAMES } from './proxy/names.ts'
import { createLearnedTargets } from './proxy/overflow/learned-targets.ts'
import { createPrepare } from './proxy/prepare.ts'
import { createBodyUnpacker } from './proxy/unpack-body.ts'
import { showProxyZeros } from './telemetry/zero-series.ts'

export interface Proxy {
  readonly routes: ProxyRoutesOptions
  /** Cuts what is still running. */
  readonly close: () => Promise<void>
}

/** The transparent proxy for the upstreams that are configured; undefined where none is. */
export function createProxy(config: Config, services: AppServices): Proxy | undefined {
  const { proxy, limits } = config
  const { metrics, conversation, inFlight, workers } = services
  const names = UPSTREAM_NAMES.filter((name) => proxy.upstreams[name] !== undefined)
  if (names.length === 0) return undefined
  for (const name of names) showProxyZeros(metrics, name)
  const upstreams = createUpstreams(proxy)
  const unpack = createBodyUnpacker({ maxBytes: limits.bodyLimitBytes, inFlight })
  const deadlineMs = proxy.compactionDeadlineMs
  return {
    routes: {
      upstreams: upstreams.byName,
      prepare: createPrepare({
        conversation,
        metrics,
        unpack,
        learned: createLearnedTargets(),
        decodeJson: createJsonDecoder(),
        deadlineMs,
        workers,
      }),
      metrics,
      config: proxy,
    },
    close: upstreams.close,
  }
}
