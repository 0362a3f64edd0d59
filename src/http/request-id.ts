import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export const REQUEST_ID_HEADER = 'x-request-id'

/** Ids go into logs, problem documents and a response header: no spaces, quotes or control characters. */
const SANE_ID = /^[A-Za-z0-9._:/+=@-]{1,128}$/

/** The caller's own id where it is fit to be repeated, else a new one. */
export function requestId(request: Pick<IncomingMessage, 'headers'>): string {
  const inbound = request.headers[REQUEST_ID_HEADER]
  return typeof inbound === 'string' && SANE_ID.test(inbound) ? inbound : randomUUID()
}
