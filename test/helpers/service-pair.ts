import { type ServiceProcess, startServiceProcess } from './start-service-process.ts'

/** The same service twice: every body that can be is worked on by a thread, or none is. */
export interface ServicePair {
  readonly threaded: ServiceProcess
  readonly alone: ServiceProcess
  readonly close: () => Promise<void>
}

export async function startServicePair(
  environment: Readonly<Record<string, string>> = {},
): Promise<ServicePair> {
  const [threaded, alone] = await Promise.all([
    startServiceProcess({
      environment: { PRECIS_WORKERS: '1', PRECIS_WORKER_MIN_BYTES: '1', ...environment },
    }),
    startServiceProcess({ environment: { ...environment, PRECIS_WORKERS: '0' } }),
  ])
  // The thread compiles the source; nothing here is about how long that takes.
  const warmUp = { messages: [{ role: 'user', content: 'x' }], targetTokens: 100 }
  await Promise.all([threaded.ask('/compact', warmUp), alone.ask('/compact', warmUp)])
  return {
    threaded,
    alone,
    close: async () => {
      await Promise.all([threaded.close(), alone.close()])
    },
  }
}

/** The environment of a service whose three upstreams are one server. */
export function upstreamVariables(origin: string): Readonly<Record<string, string>> {
  return {
    PRECIS_UPSTREAM_OPENAI_URL: origin,
    PRECIS_UPSTREAM_ANTHROPIC_URL: origin,
    PRECIS_UPSTREAM_GEMINI_URL: origin,
  }
}
