/**
 * What the server does instead of, or in the middle of, a good answer. `afterEvents` (default 2) is
 * how much of the answer goes out first: SSE events of a stream, pieces of 64 bytes of a document.
 */
export type LlmFault =
  /** Takes the request and never answers. */
  | { readonly kind: 'hang' }
  /** Cuts the connection before any byte of an answer. */
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang-mid-answer'; readonly afterEvents?: number }
  | { readonly kind: 'reset-mid-answer'; readonly afterEvents?: number }
  /** Ends the body early and politely, without the event that says that it is over. */
  | { readonly kind: 'cut-mid-answer'; readonly afterEvents?: number }
  /** The provider's own error, as the stream's last event; before a document, its status 500. */
  | { readonly kind: 'error-mid-answer'; readonly afterEvents?: number }
  /** Sends the whole answer, `bytes` (default 1) at a time. */
  | { readonly kind: 'trickle'; readonly everyMs: number; readonly bytes?: number }
  /** The provider's error of this status, such as 429, 500, 503 and 529. */
  | {
      readonly kind: 'status'
      readonly status: number
      readonly message?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** Whatever a proxy in front of a provider might say. */
  | {
      readonly kind: 'raw'
      readonly status: number
      readonly body: string
      readonly headers?: Readonly<Record<string, string>>
    }
