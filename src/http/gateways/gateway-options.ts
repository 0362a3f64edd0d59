import type { Readiness } from '../../app-services.ts'
import type { AnswererOptions } from '../answer-work.ts'

/** What every contract needs. */
export interface GatewayOptions extends AnswererOptions {
  readonly readiness: () => Readiness
  /** The service's own deadline of a request. */
  readonly deadlineMs: number
}

/** A gateway's `authorization` may be that of its client; a key may come in this one instead. */
export const GATEWAY_KEY_HEADER = 'x-precis-api-key'
