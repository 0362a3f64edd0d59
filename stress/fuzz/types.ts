import type { WireFormat } from '../../test/helpers/wire-rules/index.ts'

/** What a request is to the service: as it should be, one mistake away from it, or no HTTP to speak of. */
export type Family = 'valid' | 'nearly-valid' | 'hostile'

export type JsonRecord = Record<string, unknown>

/** Whose rules an answer of an address follows. */
export type Surface =
  | 'own'
  | 'headroom'
  | 'portkey'
  | 'litellm'
  | 'kong'
  | 'kong-rpc'
  | 'agentgateway'
  | 'proxied'
  /** Pages and probes: no problem documents of their own, always 200 (or 304, 308). */
  | 'page'
  | 'unknown'

/** A request before it is written as bytes, so that a mutation can reach into it. */
export interface Draft {
  readonly surface: Surface
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Undefined where there is no body. */
  readonly body: unknown
  /** The format of the conversation in it, where there is one. */
  readonly format?: WireFormat
  /** Statuses of the answer to it as it stands; what is done to it afterwards voids them. */
  readonly statuses?: readonly number[]
}

/** One that a client of HTTP can send. */
export interface SentRequest {
  readonly seed: number
  readonly family: Family
  /** The mutation, or what is hostile about it; empty for a valid one. */
  readonly change: string
  readonly surface: Surface
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
  readonly format?: WireFormat | undefined
  readonly statuses?: readonly number[] | undefined
  /** Code of the problem that has to be the answer. */
  readonly code?: string | undefined
}

export type Step =
  | { readonly write: Buffer }
  | { readonly waitMs: number }
  /**
   * FIN, once there is an answer or after this time: the service does not go on for a caller who has
   * closed its half of the connection.
   */
  | { readonly endAfterMs: number }
  /** RST, and nobody looks at what would have come. */
  | { readonly reset: true }

/** Bytes that no client of HTTP would send. */
export interface RawScript {
  readonly seed: number
  readonly family: 'hostile'
  readonly change: string
  readonly steps: readonly Step[]
  /** How many final answers there may be. The connection has to be closed after them. */
  readonly answers: readonly [least: number, most: number]
  /** Where it is known: of every answer. */
  readonly statuses?: readonly number[] | undefined
}

export type FuzzRequest = SentRequest | RawScript

export interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** What is wrong with an answer, or with the lack of one. */
export interface Finding {
  /** Name of the check: findings of one name and one change are taken for the same. */
  readonly check: string
  readonly detail: string
}
