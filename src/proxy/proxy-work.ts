import type { Work } from '../workers/work.ts'
import { type Attempted, type AttemptedRequest, type Attempts, createAttempts } from './attempts.ts'
import type { Overflow } from './overflow/recognise.ts'

/** One of the attempts, as plain data. */
export type WantedAttempt =
  | { readonly kind: 'first' | 'count' }
  | {
      readonly kind: 'harder'
      readonly overflow: Overflow
      readonly ownTokens: number | undefined
    }

export interface ProxyAsk {
  readonly request: AttemptedRequest
  readonly wanted: WantedAttempt
  /** Time for it, from when it was asked for. */
  readonly limitMs: number
}

/** What was made, but for the body, which is the work's answer; undefined as for `Attempts.harder`. */
export type ProxyTold =
  | (Omit<Attempted, 'rewritten'> & { readonly isRewritten: boolean })
  | undefined

const NOTHING = Buffer.alloc(0)

/** One attempt at a proxied request; its body comes unpacked, and is whatever the client sent. */
export const proxyWork: Work<ProxyAsk, ProxyTold> = async (
  { rawBody },
  { request, wanted, limitMs },
  { conversation, metrics, decodeJson, run, askedAt, onFailure },
) => {
  const deadlineMs = Math.max(1, limitMs - (performance.now() - askedAt))
  const attempts = createAttempts(
    rawBody ?? NOTHING,
    request,
    { signal: run.signal, onFailure },
    { conversation, metrics, decodeJson, deadlineMs },
  )
  const made = await make(attempts, wanted)
  if (made === undefined) return { answer: NOTHING, told: undefined }
  const { rewritten, ...told } = made
  return { answer: rewritten ?? NOTHING, told: { ...told, isRewritten: rewritten !== undefined } }
}

function make(attempts: Attempts, wanted: WantedAttempt): Promise<Attempted | undefined> {
  return wanted.kind === 'harder'
    ? attempts.harder(wanted.overflow, wanted.ownTokens)
    : attempts[wanted.kind]()
}
