import { type RunningService, startService } from '../start-service.ts'

/** A service whose three upstreams are one server. */
export function startProxy(
  origin: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  return startService({
    PRECIS_UPSTREAM_OPENAI_URL: origin,
    PRECIS_UPSTREAM_ANTHROPIC_URL: origin,
    PRECIS_UPSTREAM_GEMINI_URL: origin,
    ...environment,
  })
}
