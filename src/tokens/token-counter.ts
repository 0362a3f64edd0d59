import type { CountTokens } from '../engine/transcript.ts'
import { type CountCacheStatistics, createCountCache } from './count-cache.ts'
import { getEncoding } from './encoding.ts'
import { encodingForModel, type ModelEncoding } from './model-encoding.ts'
import type { EncodingName } from './vocabulary.ts'

/**
 * Share of a budget that is used where counts are estimates (design.md, section 6: the 0.95 in
 * `historyBudget`).
 */
export const SAFETY_FACTOR_FOR_ESTIMATES = 0.95

export interface TokenCounter extends ModelEncoding {
  /** The encoding's count times `factor`, rounded up. */
  readonly countTokens: CountTokens
}

export interface TokenCounters {
  /** The counter for a model by its name; see `encodingForModel`. Never throws. */
  readonly forModel: (model: string | undefined) => TokenCounter
  readonly stats: () => CountCacheStatistics
}

export interface TokenCountersOptions {
  /** Bound of the cache of counts, in bytes; 0 switches it off. */
  readonly cacheBytes: number
}

/** Counters that share one cache of counts. An encoding is read when a model first needs it. */
export function createTokenCounters({ cacheBytes }: TokenCountersOptions): TokenCounters {
  const cache = createCountCache({ maxBytes: cacheBytes })
  const exact = new Map<EncodingName, CountTokens>()
  const counters = new Map<string, TokenCounter>()

  const exactCounter = (encoding: EncodingName): CountTokens => {
    let countTokens = exact.get(encoding)
    if (countTokens === undefined) {
      countTokens = cache.wrap(getEncoding(encoding).countTokens)
      exact.set(encoding, countTokens)
    }
    return countTokens
  }

  return {
    forModel: (model) => {
      const rule = encodingForModel(model)
      // There are as many keys as rules, however many names callers make up.
      const key = `${rule.encoding} ${rule.factor} ${rule.estimated}`
      let counter = counters.get(key)
      if (counter === undefined) {
        counter = { ...rule, countTokens: multiply(exactCounter(rule.encoding), rule.factor) }
        counters.set(key, counter)
      }
      return counter
    },
    stats: cache.stats,
  }
}

function multiply(countTokens: CountTokens, factor: number): CountTokens {
  if (factor === 1) return countTokens
  // In whole hundredths: 100 tokens times 1.1 are 110, not the 111 that 110.00000000000001 rounds up to.
  const hundredths = Math.round(factor * 100)
  return (text) => Math.ceil((countTokens(text) * hundredths) / 100)
}
