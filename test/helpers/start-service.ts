import { buildTestApp } from './build-app.ts'
import { createServiceClient, type ServiceClient } from './service-client.ts'

export interface RunningService extends ServiceClient {
  /** Base URL, without a slash at the end. */
  readonly url: string
  /** Everything that it has written, at level trace. */
  readonly logText: () => string
  readonly logLines: () => readonly Record<string, unknown>[]
}

/**
 * A whole service on a free port, in this process: it starts in milliseconds, so that every test can
 * have one of its own, with breakers closed and counters at zero.
 */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const { app, listen, logText, logLines } = await buildTestApp({ environment })
  const url = await listen()
  const client = createServiceClient(url)
  return {
    ...client,
    url,
    logText,
    logLines,
    close: async () => {
      await client.close()
      await app.close()
    },
  }
}
