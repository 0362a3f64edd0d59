import { UPSTREAM_NAMES, type UpstreamName } from '../proxy/names.ts'
import type { ConfigFault } from './rules.ts'
import type { Variables } from './schema.ts'
import { urlFault } from './url-fault.ts'

export interface ProxyConfig {
  /** Base URLs; an API without one is not proxied. */
  readonly upstreams: Readonly<Partial<Record<UpstreamName, string>>>
  readonly headersTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly compactionDeadlineMs: number
}

const URL_VARIABLES = {
  openai: 'PRECIS_UPSTREAM_OPENAI_URL',
  anthropic: 'PRECIS_UPSTREAM_ANTHROPIC_URL',
  gemini: 'PRECIS_UPSTREAM_GEMINI_URL',
} as const satisfies Record<UpstreamName, keyof Variables>

export function readProxyConfig(values: Variables): ProxyConfig {
  const upstreams: Partial<Record<UpstreamName, string>> = {}
  for (const name of UPSTREAM_NAMES) {
    const url = values[URL_VARIABLES[name]]
    if (url !== undefined) upstreams[name] = url
  }
  return {
    upstreams,
    headersTimeoutMs: values.PRECIS_UPSTREAM_HEADERS_TIMEOUT_MS,
    idleTimeoutMs: values.PRECIS_UPSTREAM_IDLE_TIMEOUT_MS,
    compactionDeadlineMs: values.PRECIS_PROXY_COMPACTION_DEADLINE_MS,
  }
}

export function proxyFaults(values: Variables): readonly ConfigFault[] {
  return UPSTREAM_NAMES.flatMap((name) => {
    const variable = URL_VARIABLES[name]
    const url = values[variable]
    const detail = url === undefined ? undefined : baseUrlFault(url)
    return detail === undefined ? [] : [{ variable, detail }]
  })
}

/** Callers bring their own query string, which takes the place of any that stood here. */
function baseUrlFault(text: string): string | undefined {
  const fault = urlFault(text)
  if (fault !== undefined) return fault
  const { search, hash } = new URL(text)
  return search === '' && hash === '' ? undefined : 'must not have a query string or a fragment'
}
