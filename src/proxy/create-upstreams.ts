import type { ProxyConfig } from '../config/proxy-config.ts'
import { UPSTREAM_NAMES, type UpstreamName } from './names.ts'
import { createUpstream, type Upstream } from './upstream.ts'

export interface Upstreams {
  readonly byName: Readonly<Partial<Record<UpstreamName, Upstream>>>
  readonly close: () => Promise<void>
}

/** Those that the configuration names. Opens no connection yet. */
export function createUpstreams(config: ProxyConfig): Upstreams {
  const { headersTimeoutMs, idleTimeoutMs } = config
  const byName: Partial<Record<UpstreamName, Upstream>> = {}
  for (const name of UPSTREAM_NAMES) {
    const baseUrl = config.upstreams[name]
    if (baseUrl === undefined) continue
    byName[name] = createUpstream({ name, baseUrl, headersTimeoutMs, idleTimeoutMs })
  }
  return {
    byName,
    close: async () => {
      await Promise.all(Object.values(byName).map((upstream) => upstream.close()))
    },
  }
}
