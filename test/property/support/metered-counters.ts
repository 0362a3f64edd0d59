import { createTokenCounters, type TokenCounters } from '../../../src/tokens/token-counter.ts'

export interface Meter {
  readonly counters: TokenCounters
  readonly calls: () => number
  /** UTF-16 units that were given to be counted. */
  readonly characters: () => number
}

/** Exact counters that remember how much they were asked, and no count at all. */
export function createMeter(): Meter {
  const exact = createTokenCounters({ cacheBytes: 0 })
  let calls = 0
  let characters = 0
  return {
    counters: {
      ...exact,
      forModel: (model) => {
        const counter = exact.forModel(model)
        return {
          ...counter,
          countTokens: (text) => {
            calls += 1
            characters += text.length
            return counter.countTokens(text)
          },
        }
      },
    },
    calls: () => calls,
    characters: () => characters,
  }
}
