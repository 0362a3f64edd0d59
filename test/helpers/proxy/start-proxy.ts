import { upstreamVariables } from '../service-pair.ts'
import { type RunningService, startService } from '../start-service.ts'

/** A service whose three upstreams are one server. */
export function startProxy(
  origin: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  return startService({
    ...upstreamVariables(origin),
    // Past it requests go as they came, which on a busy machine is soon enough to happen unasked.
    PRECIS_PROXY_COMPACTION_DEADLINE_MS: '60000',
    ...environment,
  })
}
