import type { UpstreamResult } from './names.ts'

export type UpstreamFailure = Extract<UpstreamResult, 'unreachable' | 'timeout' | 'aborted'>

/** No head of an answer came. Carries no URL and no text of either side. */
export class UpstreamError extends Error {
  override readonly name = 'UpstreamError'
  readonly failure: UpstreamFailure

  constructor(failure: UpstreamFailure, options?: { readonly cause?: unknown }) {
    super(failure, options)
    this.failure = failure
  }
}
