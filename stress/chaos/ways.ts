import type { WayFault } from './link.ts'

export interface Way {
  readonly name: string
  readonly way: WayFault
  /** Nothing comes in time; otherwise something comes at once, and it is no answer. */
  readonly isSilent: boolean
}

/** Faults that any server can have, whatever it speaks. */
export const WAYS: readonly Way[] = [
  { name: 'down: connection refused', way: 'down', isSilent: false },
  { name: 'hangs', way: 'hang', isSilent: true },
  { name: '1 byte/s', way: 'drip', isSilent: true },
  { name: 'reset', way: 'reset', isSilent: false },
  { name: 'garbage: not HTTP', way: 'not-http', isSilent: false },
  { name: 'TLS: certificate expired', way: 'expired', isSilent: false },
  { name: 'TLS: self-signed certificate', way: 'self-signed', isSilent: false },
  { name: 'TLS: plaintext port', way: 'plaintext', isSilent: false },
  { name: 'DNS: unknown name', way: 'unknown-name', isSilent: false },
]
