import type { IncomingMessage } from 'node:http'
import type { AnswerFault, HeaderMap } from './fault.ts'

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The parsed body; undefined when it is not JSON. */
  readonly json: unknown
}

export interface Reply {
  readonly status: number
  readonly json: unknown
  readonly headers?: HeaderMap
}

/** What a wire contributes to the server. */
export interface DecideProtocol {
  /** Path that answers questions. */
  readonly path: string
  readonly reply: (request: RecordedRequest) => Reply
  /** The documented error of a status, for a request that would have been answered. */
  readonly errorReply: (status: number, request: RecordedRequest) => Reply
  readonly maxTokensReply: () => Reply
  /** Spoils the answers of a good reply. */
  readonly spoil: (json: unknown, fault: AnswerFault) => unknown
}
