/** A provider's prompt cache, as its price list describes it. */
import { createHash } from 'node:crypto'

/**
 * What a token costs, in units of an input token that is not cached (Anthropic, *Prompt caching*:
 * five-minute cache), and the shortest prefix that is cached at all.
 */
export const PRICES = { read: 0.1, write: 1.25, rest: 1, minimumTokens: 1_024 } as const

export interface Message {
  /** As it goes over the wire. */
  readonly text: string
  readonly tokens: number
}

export interface Usage {
  readonly read: number
  readonly written: number
  /** Neither read nor written: too short to be cached. */
  readonly rest: number
  /** In units of an input token. */
  readonly cost: number
}

export interface ProviderCache {
  readonly send: (messages: readonly Message[]) => Usage
}

/**
 * `besideTokens`: instructions and tools, which stand before the messages and never change. A client
 * marks its newest message, so that all it sends is written; what stands in the longest identical
 * prefix of any earlier request is read.
 */
export function createProviderCache(besideTokens: number): ProviderCache {
  const prefixes = new Set<string>()
  return {
    send: (messages) => {
      const hash = createHash('sha256')
      let total = besideTokens
      let read = 0
      const sent: string[] = []
      for (const { text, tokens } of messages) {
        hash.update(text).update('\n')
        total += tokens
        const prefix = hash.copy().digest('base64')
        if (total >= PRICES.minimumTokens) {
          if (prefixes.has(prefix)) read = total
          sent.push(prefix)
        }
      }
      for (const prefix of sent) prefixes.add(prefix)
      const isCached = total >= PRICES.minimumTokens
      const written = isCached ? total - read : 0
      const rest = isCached ? 0 : total
      const cost = read * PRICES.read + written * PRICES.write + rest * PRICES.rest
      return { read, written, rest, cost }
    },
  }
}
