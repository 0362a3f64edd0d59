import { type LlmServer, startLlmServer } from '../llm-servers/start-llm-server.ts'
import { startProxy } from '../proxy/start-proxy.ts'
import type { RunningService } from '../start-service.ts'
import type { ConnectedClient, LlmClient } from './llm-client.ts'

export interface ProxiedOptions {
  /** Tokens of the upstream's context window. */
  readonly window?: number
  /** What Precis takes it for. Default: what it is. */
  readonly believedWindow?: number
  /** Turns in which the upstream's model calls a tool. */
  readonly turns?: number
  /** Calls that it makes at once in such a turn. */
  readonly callsPerTurn?: number
  /** Sent by the client through Precis, with each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Variables of Precis, over what is needed here. */
  readonly environment?: Readonly<Record<string, string>>
}

export interface Proxied {
  readonly upstream: LlmServer
  readonly service: RunningService
  readonly direct: ConnectedClient
  readonly proxied: ConnectedClient
  readonly close: () => Promise<void>
}

/** What the upstream's models leave for an answer, in Precis' reckoning. */
const MAX_OUTPUT = 500

/** An upstream, a Precis before it, and a client of each. */
export async function startProxied(
  client: LlmClient,
  options: ProxiedOptions = {},
): Promise<Proxied> {
  const {
    window = 128_000,
    believedWindow = window,
    turns = 0,
    callsPerTurn = 1,
    headers,
  } = options
  const upstream = await startLlmServer({ contextWindow: window, toolTurns: turns, callsPerTurn })
  const windows = { [client.model]: { contextWindow: believedWindow, maxOutputTokens: MAX_OUTPUT } }
  const service = await startProxy(upstream.origin, {
    PRECIS_MODEL_WINDOWS: JSON.stringify(windows),
    ...options.environment,
  })
  return {
    upstream,
    service,
    direct: client.connect({ origin: upstream.origin }),
    proxied: client.connect({ origin: service.url, ...(headers !== undefined && { headers }) }),
    close: async () => {
      await service.close()
      await upstream.close()
    },
  }
}

/** Some six hundred tokens of the part's own, no two parts alike. */
export function partOfModule(step: number): string {
  return Array.from(
    { length: 40 },
    (_, line) =>
      `${step}.${line}: export const limit${step * 40 + line} = ${step * 7919 + line * 31}`,
  ).join('\n')
}
