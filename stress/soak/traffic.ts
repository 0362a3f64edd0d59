/** The callers of the soak: some compact, some stream through the proxy, some leave in the middle. */
import { Pool } from 'undici'
import type { Bodies } from '../load/mix.ts'
import { createCompactTraffic } from './compact-traffic.ts'
import { createProxyTraffic } from './proxy-traffic.ts'
import type { SoakTally } from './tally.ts'

export interface Traffic {
  /** One request of some kind. Whether it was answered with 200. Never rejects. */
  readonly send: () => Promise<boolean>
  /** Closes all connections; the next request opens new ones. */
  readonly hangUp: () => Promise<void>
}

export interface TrafficOptions {
  readonly url: string
  readonly bodies: Bodies
  readonly random: () => number
  readonly tally: SoakTally
}

export interface Caller {
  readonly pool: () => Pool
  readonly random: () => number
  readonly tally: SoakTally
  /** Aborts after a while of chance, for the share of callers who leave; else undefined. */
  readonly patience: () => AbortSignal | undefined
}

const SHARE_PROXIED = 0.1
const SHARE_LEAVING = 0.05
const MOST_PATIENCE_MS = 300
const CONNECTIONS = 1_024
const TIMEOUT_MS = 60_000

export function createTraffic({ url, bodies, random, tally }: TrafficOptions): Traffic {
  const open = () =>
    new Pool(url, {
      connections: CONNECTIONS,
      pipelining: 1,
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    })
  let pool = open()
  const caller: Caller = {
    pool: () => pool,
    random,
    tally,
    patience: () =>
      random() < SHARE_LEAVING
        ? AbortSignal.timeout(Math.ceil(random() * MOST_PATIENCE_MS))
        : undefined,
  }
  const compact = createCompactTraffic(caller, bodies)
  const proxied = createProxyTraffic(caller)
  return {
    send: () => (random() < SHARE_PROXIED ? proxied() : compact()),
    hangUp: async () => {
      const old = pool
      pool = open()
      await old.destroy()
    },
  }
}
